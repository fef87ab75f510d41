import { align, type Literal, type TextSpan } from './align.ts';
import type { Expression, Part, Variable } from './grammar.ts';
import { codeOf, decodeUnits, impossibleUnit, type ParsedUri, splitUnits, textOfUnits, unitsOf } from './units.ts';

/** The variables of a match, without a prototype, so that no variable name is special. */
export type TemplateMatch = Record<string, string | string[]>;

/** A template prepared for matching. */
export interface Matcher {
  readonly steps: readonly (Literal | Field)[];
  /** The parameters that may follow `?` or `&`, and those after `;`: by separator, then by name. */
  readonly parameters: ReadonlyMap<string, ReadonlyMap<string, Variable>>;
  readonly literals: Literals;
}

/**
 * The literal texts of a template, for a quick check: a URI that lacks one, or has them in another order, does not
 * match.
 */
interface Literals {
  readonly prefix: string;
  readonly inner: readonly string[];
  readonly suffix: string;
}

/** A part of a URI with its variables: one, or all of an expression whose commas or names separate them. */
interface Field extends TextSpan {
  readonly variables: readonly Variable[];
  readonly separator: string;
  readonly named: boolean;
}

const equalsSign = codeOf('=');

/** The unit of a literal with an escape that is not valid UTF-8: no URI has it. */
const undecodable: readonly number[] = [impossibleUnit];

interface Binding {
  readonly variable: Variable;
  readonly value: string | string[];
}

/** Prepares the parts of a template for matching. */
export function compileMatcher(parts: readonly Part[]): Matcher {
  const parameters = new Map<string, Map<string, Variable>>();
  const steps = parts.flatMap((part, index): (Literal | Field)[] => {
    if (typeof part === 'string') return [{ units: unitsOf(part) ?? undecodable }];
    const { operator, variables } = part;
    if (operator.named) {
      const known = parameters.get(operator.separator) ?? new Map<string, Variable>();
      for (const variable of variables) known.set(decodeUnits(unitsOf(variable.name) ?? []), variable);
      parameters.set(operator.separator, known);
    }
    return fieldsOf(part, parts.slice(index + 1));
  });
  return { steps, parameters, literals: literalsOf(steps) };
}

function literalsOf(steps: Matcher['steps']): Literals {
  const texts = steps.map((step) => ('units' in step ? textOfUnits(step.units) : undefined));
  const [prefix = ''] = texts;
  const suffix = texts.length > 1 ? (texts.at(-1) ?? '') : '';
  return { prefix, inner: texts.slice(1, -1).filter((text) => text !== undefined), suffix };
}

/** True if a text contains the literals of a template in their order: cheap, and false for most templates. */
function hasLiterals({ prefix, inner, suffix }: Literals, text: string): boolean {
  const end = text.length - suffix.length;
  if (end < prefix.length || !text.startsWith(prefix) || !text.endsWith(suffix)) return false;
  let at = prefix.length;
  for (const literal of inner) {
    const found = text.indexOf(literal, at);
    if (found === -1) return false;
    at = found + literal.length;
  }
  return at <= end;
}

function fieldsOf(expression: Expression, rest: readonly Part[]): Field[] {
  const { first: lead, separator, named } = expression.operator;
  const { variables } = expression;
  if (lead === '/' || lead === '.') {
    return variables.map((variable) => {
      const stops = variable.explode && lead === '/' ? '?#' : '/?#';
      return { variables: [variable], separator, named, lead, stops, limit: variable.limit };
    });
  }
  const only = variables.length === 1 && !named ? variables[0] : undefined;
  const stops = stopsOf(expression, rest);
  return [{ variables, separator, named, lead, stops, limit: only?.limit ?? Infinity }];
}

function stopsOf({ operator }: Expression, rest: readonly Part[]): string {
  if (operator.separator === '&') return '#';
  if (operator.first === '#') return '';
  if (!operator.reserved) return '/?#';
  // A reserved value may contain `?` and `#`, unless a later part of the template begins with them.
  const leads = rest.map((part) => (typeof part === 'string' ? '' : part.operator.first));
  return ['?', '#'].filter((lead) => leads.includes(lead)).join('');
}

/** Matches a URI. Returns the values of the template's variables; undefined if it does not match. */
export function matchUri({ steps, parameters, literals }: Matcher, uri: ParsedUri): TemplateMatch | undefined {
  if (!hasLiterals(literals, uri.text)) return undefined;
  const units = uri.units();
  if (!canReachEnd(steps, units)) return undefined;
  const ends = align(steps, units);
  if (ends === undefined) return undefined;

  const bindings: Binding[] = [];
  const given = new Map<Variable, string[]>();
  let at = 0;
  for (const [index, step] of steps.entries()) {
    const start = at;
    at = ends[index] ?? at;
    if ('units' in step || at === start) continue;
    const text = units.slice(start + step.lead.length, at);
    const known = parameters.get(step.separator);
    const fits = step.named
      ? readParameters(splitUnits(text, step.separator), known, given)
      : readValues(splitUnits(text, step.separator), step, bindings);
    if (!fits) return undefined;
  }
  for (const [variable, values] of given) {
    const [value = '', ...more] = values;
    if (!variable.explode && more.length > 0) return undefined;
    bindings.push({ variable, value: variable.explode ? values : value });
  }
  return mergeBindings(bindings);
}

/** Assigns the pieces to the variables: the last one, or a list, gets those that no later variable needs. */
function readValues(pieces: number[][], { variables, separator, lead }: Field, bindings: Binding[]): boolean {
  let from = 0;
  for (const [index, variable] of variables.entries()) {
    if (from === pieces.length) break;
    const later = variables.length - 1 - index;
    const count = variable.explode || later === 0 ? Math.max(1, pieces.length - from - later) : 1;
    const taken = pieces.slice(from, from + count).map(decodeUnits);
    from += count;
    const value = variable.explode ? taken : taken.join(separator);
    if (typeof value === 'string' && (truncate(value, variable.limit) !== value || (value === '' && lead === '')))
      return false;
    bindings.push({ variable, value });
  }
  return true;
}

function readParameters(
  pairs: number[][],
  known: ReadonlyMap<string, Variable> | undefined,
  given: Map<Variable, string[]>,
): boolean {
  for (const pair of pairs) {
    if (pair.length === 0) continue;
    const sign = pair.indexOf(equalsSign);
    const nameEnd = sign === -1 ? pair.length : sign;
    const variable = known?.get(decodeUnits(pair.slice(0, nameEnd)));
    const value = decodeUnits(pair.slice(nameEnd + 1));
    if (variable === undefined || truncate(value, variable.limit) !== value) return false;
    const values = given.get(variable);
    if (values === undefined) given.set(variable, [value]);
    else values.push(value);
  }
  return true;
}

/** Merges the values of each variable: if it occurs several times, its values must agree up to their length limits. */
function mergeBindings(bindings: readonly Binding[]): TemplateMatch | undefined {
  const chosen = new Map<string, Binding>();
  for (const binding of bindings) {
    const { name } = binding.variable;
    const other = chosen.get(name) ?? binding;
    const [shorter, longer] = showsLess(other, binding) ? [other, binding] : [binding, other];
    if (!agree(shorter, longer)) return undefined;
    chosen.set(name, longer);
  }
  const match: TemplateMatch = Object.create(null);
  for (const [name, { value }] of chosen) match[name] = value;
  return match;
}

function showsLess(one: Binding, other: Binding): boolean {
  const longer = other.value.length - one.value.length;
  return longer === 0 ? one.variable.limit < other.variable.limit : longer > 0;
}

function agree(shorter: Binding, longer: Binding): boolean {
  const { value } = longer;
  if (typeof value === 'string') return truncate(value, shorter.variable.limit) === shorter.value;
  return JSON.stringify(value) === JSON.stringify(shorter.value);
}

/**
 * Checks quickly whether a template can match a URI to its end: false is certain, true must be confirmed by `align`.
 * Follows the lowest and the highest position at which each step can end.
 */
function canReachEnd(steps: readonly (Literal | TextSpan)[], units: readonly number[]): boolean {
  let low = 0;
  let high = 0;
  for (const step of steps) {
    if ('units' in step) {
      const { length } = step.units;
      low = positionOf(step.units, units, { from: low, to: Math.min(high, units.length - length) }) + length;
      if (low < length) return false;
      high = Math.min(high + length, units.length);
      continue;
    }
    const { lead, stops } = step;
    const start = lead === '' ? high : units.lastIndexOf(codeOf(lead), high) + 1;
    if (lead === '') low += 1;
    else if (start <= low) continue;
    high = Math.max(high, nextStop(stops, units, start));
    if (low > high) return false;
  }
  return high === units.length;
}

/** The first position of a literal within a range; -1 if there is none. */
function positionOf(
  literal: readonly number[],
  units: readonly number[],
  { from, to }: { from: number; to: number },
): number {
  for (let at = from; at <= to; at++) {
    if (literal.every((unit, index) => units[at + index] === unit)) return at;
  }
  return -1;
}

function nextStop(stops: string, units: readonly number[], from: number): number {
  const [first = 0, second = first, third = first] = Array.from(stops, codeOf);
  if (stops === '') return units.length;
  for (let at = from; at < units.length; at++) {
    const unit = units[at];
    if (unit === first || unit === second || unit === third) return at;
  }
  return units.length;
}

/** The first `limit` characters of a value, as the prefix modifier counts them: code points, not code units. */
export function truncate(value: string, limit: number): string {
  return value.length <= limit ? value : Array.from(value).slice(0, limit).join('');
}
