import type { TValidationError } from 'typebox/error';
import { briefJson, truncate } from '../jsonrpc/text.ts';
import type { JsonSchema } from './infer.ts';
import { quoteShort } from './problems.ts';

const maxListed = 20;
const maxShown = 80;

/** Describes a fault of `got` in plain words. `schema` is the failed schema, if known. */
export function describeFault(fault: Fault, got: unknown, schema?: JsonSchema): string {
  switch (fault.keyword) {
    case 'type':
      return describeTypes([fault.params.type].flat(), got);
    case 'enum':
      return describeValues(fault.params.allowedValues, got);
    case 'const':
      return describeValues([fault.params.allowedValue], got);
    case 'format':
      return `must be in ${quoteShort(fault.params.format)} format, got ${formatGot(got)}`;
    case 'pattern':
      return `must match the pattern ${truncate(String(fault.params.pattern), 200)}, got ${formatGot(got)}`;
    case 'minimum':
      return `must be at least ${fault.params.limit}, got ${formatGot(got)}`;
    case 'maximum':
      return `must be at most ${fault.params.limit}, got ${formatGot(got)}`;
    case 'exclusiveMinimum':
      return `must be more than ${fault.params.limit}, got ${formatGot(got)}`;
    case 'exclusiveMaximum':
      return `must be less than ${fault.params.limit}, got ${formatGot(got)}`;
    case 'multipleOf':
      return `must be a multiple of ${fault.params.multipleOf}, got ${formatGot(got)}`;
    case 'minLength':
      return `must have at least ${pluralize(fault.params.limit, 'character')}, got ${countOf(got)}`;
    case 'maxLength':
      return `must have at most ${pluralize(fault.params.limit, 'character')}, got ${countOf(got)}`;
    case 'minItems':
      return `must have at least ${pluralize(fault.params.limit, 'item')}, got ${countOf(got)}`;
    case 'maxItems':
      return `must have at most ${pluralize(fault.params.limit, 'item')}, got ${countOf(got)}`;
    case 'minProperties':
      return `must have at least ${fault.params.limit} properties, got ${countOf(got)}`;
    case 'maxProperties':
      return `must have at most ${fault.params.limit} properties, got ${countOf(got)}`;
    case 'uniqueItems':
      return `must not have equal items (${fault.params.duplicateItems.slice(0, maxListed).map(formatIndex).join(', ')})`;
    case 'unevaluatedItems':
      return `must not have more items (${fault.params.unevaluatedItems.slice(0, maxListed).map(formatIndex).join(', ')})`;
    case 'contains':
      return `must have ${describeContains(fault.params)} matching ${formatValue(schema?.contains)}`;
    case 'not':
      return `must not match ${formatValue(schema?.not)}`;
    case 'oneOf':
      return `matches more than one of the allowed forms (${fault.params.passingSchemas.map(formatIndex).join(', ')})`;
    case 'boolean':
      return 'is not allowed';
    default:
      return `does not match the schema ("${fault.keyword}")`;
  }
}

/** Describes the expected types. */
export function describeTypes(types: readonly string[], got: unknown): string {
  const fraction = types.includes('integer') && Number.isFinite(got);
  const wanted = [...new Set(types)].slice(0, maxListed);
  const [last = ''] = wanted.splice(-1);
  const listed = wanted.length === 0 ? last : `${wanted.join(', ')} or ${last}`;
  return `expected ${listed}, got ${fraction ? formatGot(got) : typeName(got)}`;
}

/** Describes the allowed values. */
export function describeValues(values: readonly unknown[], got: unknown): string {
  const [only] = values;
  if (values.length === 1) return `must be ${formatValue(only)}, got ${formatGot(got)}`;
  const listed = values.slice(0, maxListed).map(formatValue).join(', ');
  const more = values.length > maxListed ? ` and ${values.length - maxListed} more` : '';
  return `must be one of ${listed}${more}, got ${formatGot(got)}`;
}

/** Formats a value of the schema as JSON. */
export function formatValue(value: unknown): string {
  return value === undefined ? 'the schema' : truncate(briefJson(value, maxShown + 1), maxShown);
}

function formatGot(value: unknown): string {
  if (typeof value === 'string') return quoteShort(value);
  return typeof value === 'object' && value !== null ? typeName(value) : String(value);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : typeof value;
}

function countOf(value: unknown): number {
  if (typeof value === 'string') return Array.from(value).length;
  return Array.isArray(value) ? value.length : Object.keys(Object(value)).length;
}

function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function formatIndex(index: number): string {
  return `[${index}]`;
}

function describeContains({ minContains, maxContains }: { minContains: number; maxContains?: number }): string {
  return maxContains === undefined
    ? `at least ${pluralize(minContains, 'item')}`
    : `${minContains} to ${pluralize(maxContains, 'item')}`;
}

/** A validation error of the validator. */
export type Fault = TValidationError;

/** The location of a fault in the schema and in the value. */
export interface FaultPlace {
  readonly schemaPath: string;
  readonly instancePath: string;
}

/** Resolves the paths of faults in the explained value and schema. */
export interface Subject {
  valueAt(instancePath: string): unknown;
  schemaAt(schemaPath: string): JsonSchema | undefined;
  /** Validates a part of the value. Empty if there is no schema at that path. */
  faultsAt(place: FaultPlace): readonly Fault[];
}
