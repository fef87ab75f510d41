import { briefJson } from '../jsonrpc/brief-json.ts';
import type { Fault } from './fault.ts';
import type { JsonSchema } from './infer.ts';
import { quoted } from './problems.ts';

const mostListed = 20;
const longestShown = 80;

/** Says in plain words what is wrong with `got`. `schema` is the one that the fault is about, where it can be told. */
export function describe(fault: Fault, got: unknown, schema?: JsonSchema): string {
  switch (fault.keyword) {
    case 'type':
      return expected([fault.params.type].flat(), got);
    case 'enum':
      return oneOf(fault.params.allowedValues, got);
    case 'const':
      return oneOf([fault.params.allowedValue], got);
    case 'format':
      return `must be in ${quoted(fault.params.format)} format, got ${shown(got)}`;
    case 'pattern':
      return `must match the pattern ${cut(String(fault.params.pattern), 200)}, got ${shown(got)}`;
    case 'minimum':
      return `must be at least ${fault.params.limit}, got ${shown(got)}`;
    case 'maximum':
      return `must be at most ${fault.params.limit}, got ${shown(got)}`;
    case 'exclusiveMinimum':
      return `must be more than ${fault.params.limit}, got ${shown(got)}`;
    case 'exclusiveMaximum':
      return `must be less than ${fault.params.limit}, got ${shown(got)}`;
    case 'multipleOf':
      return `must be a multiple of ${fault.params.multipleOf}, got ${shown(got)}`;
    case 'minLength':
      return `must have at least ${counted(fault.params.limit, 'character')}, got ${sizeOf(got)}`;
    case 'maxLength':
      return `must have at most ${counted(fault.params.limit, 'character')}, got ${sizeOf(got)}`;
    case 'minItems':
      return `must have at least ${counted(fault.params.limit, 'item')}, got ${sizeOf(got)}`;
    case 'maxItems':
      return `must have at most ${counted(fault.params.limit, 'item')}, got ${sizeOf(got)}`;
    case 'minProperties':
      return `must have at least ${fault.params.limit} properties, got ${sizeOf(got)}`;
    case 'maxProperties':
      return `must have at most ${fault.params.limit} properties, got ${sizeOf(got)}`;
    case 'uniqueItems':
      return `must not have equal items (${fault.params.duplicateItems.slice(0, mostListed).map(ordinal).join(', ')})`;
    case 'unevaluatedItems':
      return `must not have more items (${fault.params.unevaluatedItems.slice(0, mostListed).map(ordinal).join(', ')})`;
    case 'contains':
      return `must have ${containing(fault.params)} matching ${written(schema?.contains)}`;
    case 'not':
      return `must not match ${written(schema?.not)}`;
    case 'oneOf':
      return `matches more than one of the allowed forms (${fault.params.passingSchemas.map(ordinal).join(', ')})`;
    case 'boolean':
      return 'is not allowed';
    default:
      return `does not match the schema ("${fault.keyword}")`;
  }
}

/** Says which types would do. */
export function expected(types: readonly string[], got: unknown): string {
  const fraction = types.includes('integer') && Number.isFinite(got);
  const wanted = [...new Set(types)].slice(0, mostListed);
  const [last = ''] = wanted.splice(-1);
  const listed = wanted.length === 0 ? last : `${wanted.join(', ')} or ${last}`;
  return `expected ${listed}, got ${fraction ? shown(got) : kindOf(got)}`;
}

/** Says which values would do. */
export function oneOf(values: readonly unknown[], got: unknown): string {
  const [only] = values;
  if (values.length === 1) return `must be ${written(only)}, got ${shown(got)}`;
  const listed = values.slice(0, mostListed).map(written).join(', ');
  const more = values.length > mostListed ? ` and ${values.length - mostListed} more` : '';
  return `must be one of ${listed}${more}, got ${shown(got)}`;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

/** A value from the schema, as JSON. */
export function written(value: unknown): string {
  return value === undefined ? 'the schema' : cut(briefJson(value, longestShown + 1), longestShown);
}

function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'object' && value !== null ? kindOf(value) : String(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : typeof value;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Array.from(value).length;
  return Array.isArray(value) ? value.length : Object.keys(Object(value)).length;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function ordinal(index: number): string {
  return `[${index}]`;
}

function containing({ minContains, maxContains }: { minContains: number; maxContains?: number }): string {
  return maxContains === undefined
    ? `at least ${counted(minContains, 'item')}`
    : `${minContains} to ${counted(maxContains, 'item')}`;
}
