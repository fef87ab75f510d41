import { count } from '../parts/figures.ts';
import type { Field } from './field.ts';

const longestPattern = 60;

/** What a schema demands of a value, in few words: they are known before anything is wrong. */
export function factsOf({ kind, schema }: Field): string {
  switch (kind) {
    case 'number':
      return joined([rangeOf(schema.minimum, schema.maximum, ''), ...edges(schema), stepOf(schema.multipleOf)]);
    case 'text':
      return joined([rangeOf(schema.minLength, schema.maxLength, 'characters'), patternOf(schema.pattern)]);
    case 'list':
    case 'choices':
      return joined([
        rangeOf(schema.minItems, schema.maxItems, 'entries'),
        kind === 'list' && schema.uniqueItems === true ? 'each only once' : '',
      ]);
    default:
      return '';
  }
}

function joined(facts: readonly string[]): string {
  return facts.filter(Boolean).join(', ');
}

const singular = { '': '', characters: 'character', entries: 'entry' } as const;

function rangeOf(least: unknown, most: unknown, unit: keyof typeof singular): string {
  const last = most ?? least;
  const of = unit === '' ? '' : ` ${last === 1 ? singular[unit] : unit}`;
  // None at least is no demand on what has a length.
  const from = typeof least === 'number' && (least !== 0 || unit === '') ? count(least) : undefined;
  const to = typeof most === 'number' ? count(most) : undefined;
  if (from !== undefined && to !== undefined) return from === to ? `${from}${of}` : `${from} to ${to}${of}`;
  return from === undefined ? (to === undefined ? '' : `at most ${to}${of}`) : `at least ${from}${of}`;
}

function edges({ exclusiveMinimum, exclusiveMaximum }: Field['schema']): readonly string[] {
  return [
    typeof exclusiveMinimum === 'number' ? `more than ${count(exclusiveMinimum)}` : '',
    typeof exclusiveMaximum === 'number' ? `less than ${count(exclusiveMaximum)}` : '',
  ];
}

function stepOf(step: unknown): string {
  return typeof step === 'number' && step !== 1 ? `in steps of ${step}` : '';
}

function patternOf(pattern: unknown): string {
  return typeof pattern === 'string' && pattern.length <= longestPattern ? `like ${pattern}` : '';
}
