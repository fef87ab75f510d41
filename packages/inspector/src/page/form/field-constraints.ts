import { formatCount } from '../components/format.ts';
import type { Field } from './field.ts';

const maxPatternLength = 60;

/** Describes the constraints of a schema in a few words. */
export function describeConstraints({ kind, schema }: Field): string {
  switch (kind) {
    case 'number':
      return joinParts([
        formatRange(schema.minimum, schema.maximum, ''),
        ...formatExclusiveBounds(schema),
        formatStep(schema.multipleOf),
      ]);
    case 'text':
      return joinParts([formatRange(schema.minLength, schema.maxLength, 'characters'), formatPattern(schema.pattern)]);
    case 'list':
    case 'choices':
      return joinParts([
        formatRange(schema.minItems, schema.maxItems, 'entries'),
        kind === 'list' && schema.uniqueItems === true ? 'unique' : '',
      ]);
    default:
      return '';
  }
}

function joinParts(facts: readonly string[]): string {
  return facts.filter(Boolean).join(', ');
}

const singular = { '': '', characters: 'character', entries: 'entry' } as const;

function formatRange(least: unknown, most: unknown, unit: keyof typeof singular): string {
  const last = most ?? least;
  const of = unit === '' ? '' : ` ${last === 1 ? singular[unit] : unit}`;
  // A minimum length of 0 is no constraint.
  const from = typeof least === 'number' && (least !== 0 || unit === '') ? formatCount(least) : undefined;
  const to = typeof most === 'number' ? formatCount(most) : undefined;
  if (from !== undefined && to !== undefined) return from === to ? `${from}${of}` : `${from} to ${to}${of}`;
  return from === undefined ? (to === undefined ? '' : `at most ${to}${of}`) : `at least ${from}${of}`;
}

function formatExclusiveBounds({ exclusiveMinimum, exclusiveMaximum }: Field['schema']): readonly string[] {
  return [
    typeof exclusiveMinimum === 'number' ? `more than ${formatCount(exclusiveMinimum)}` : '',
    typeof exclusiveMaximum === 'number' ? `less than ${formatCount(exclusiveMaximum)}` : '',
  ];
}

function formatStep(step: unknown): string {
  return typeof step === 'number' && step !== 1 ? `in steps of ${step}` : '';
}

function formatPattern(pattern: unknown): string {
  return typeof pattern === 'string' && pattern.length <= maxPatternLength ? `like ${pattern}` : '';
}
