import { limits } from '@ccmcp/core';
import { shownJson } from '../print.ts';
import { Failure } from './failure.ts';
import { dataText, type GivenData } from './given-data.ts';
import { alternativesOf, propertiesOf, requiredOf, resolved, type Schema } from './schema.ts';
import { toolSignature } from './signature.ts';
import { didYouMean } from './suggest.ts';
import { isDeeper } from '../install/syntax.ts';

const deepest = limits.command.argumentDepth.value;

/** Words such as `name=Ada` and `tags:=["a"]`, by name, in the order they were given. */
export interface Pair {
  name: string;
  value: string;
  /** `json` for `:=`, where the value is written as JSON whatever the schema says. */
  kind: 'text' | 'json';
}

/** Splits words of the form `key=value` and `key:=json`. */
export function pairsOf(words: readonly string[]): Pair[] {
  return words.map((word) => {
    const found = /^([^=]*?)(:?)=(.*)$/s.exec(word);
    const [, name = '', colon, value = ''] = found ?? [];
    if (name === '') {
      throw new Failure('usage', `"${word}" is no argument: write key=value, or key:=json for JSON`);
    }
    return { name, value, kind: colon === ':' ? 'json' : 'text' };
  });
}

/** The arguments of a tool from the words of the command line, with the types that the tool's schema wants. */
export async function toolArguments(
  tool: { name: string; inputSchema?: unknown },
  words: readonly string[],
  data: GivenData,
): Promise<Record<string, unknown>> {
  const [first = ''] = words;
  if (words.length === 1 && /^(?:\{|-$|@)/.test(first)) return wholeObject(await textOf(first, {}, data));
  const schema = (tool.inputSchema ?? {}) as Schema;
  const given: Record<string, unknown> = {};
  for (const pair of pairsOf(words)) await add(given, { pair, tool: tool.name, schema, data });
  const missing = requiredOf(schema).filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0) {
    const hint = `It is called like this: ${toolSignature(tool)}`;
    throw new Failure('usage', `"${tool.name}" needs ${missing.join(', ')}`, { hint });
  }
  return given;
}

/** The arguments of a prompt, or the variables of a template: all of them are text. */
export async function textArguments(words: readonly string[], data: GivenData): Promise<Record<string, string>> {
  const given: Record<string, string> = {};
  for (const { name, value } of pairsOf(words)) {
    refuseSecond(given, name);
    given[name] = await textOf(value, { name }, data);
  }
  return given;
}

function wholeObject(text: string): Record<string, unknown> {
  const value = parseJson(text, 'The arguments');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failure('usage', 'The arguments must be a JSON object');
  return value as Record<string, unknown>;
}

/** A value as it is meant: `@` names a file, `-` is standard input, `@@` begins a text with one. */
async function textOf(
  value: string,
  { name = '', schema = {} }: { name?: string; schema?: Schema },
  data: GivenData,
): Promise<string> {
  if (!isElsewhere(value)) return value.replace(/^@@/, '@');
  return dataText(await (value === '-' ? data.stdin() : data.file(value.slice(1))), schema, name);
}

function isElsewhere(value: string): boolean {
  return value === '-' || /^@[^@]/.test(value);
}

interface Adding {
  pair: Pair;
  tool: string;
  schema: Schema;
  data: GivenData;
}

async function add(given: Record<string, unknown>, { pair, tool, schema, data }: Adding): Promise<void> {
  const { name, value, kind } = pair;
  const properties = propertiesOf(schema);
  const property = properties.get(name);
  const isOpen = properties.size === 0 || (schema.additionalProperties ?? false) !== false;
  if (property === undefined && !isOpen) {
    const names = [...properties.keys()];
    const hint = `It takes ${names.join(', ')}.`;
    throw new Failure('usage', `"${tool}" takes no "${name}".${didYouMean(name, names)}`, { hint });
  }
  if (kind === 'json') {
    refuseSecond(given, name);
    given[name] = parseJson(await textOf(value, { name }, data), `"${name}"`);
    return;
  }
  const known = resolved(property ?? {}, schema);
  const item = known.type === 'array' ? resolved((known.items ?? {}) as Schema, schema) : known;
  const text = await textOf(value, { name, schema: item }, data);
  const isItem = known.type === 'array' && !text.startsWith('[');
  const wanted = isItem ? item : known;
  // The line end that files have is no part of a number.
  const typed = typedText(isElsewhere(value) && !mayBeText(wanted) ? text.trim() : text, wanted, name);
  if (!isItem) refuseSecond(given, name);
  const list = given[name];
  given[name] = isItem && Array.isArray(list) ? [...list, typed] : isItem ? [typed] : typed;
}

/** Of two values for what takes one, neither is surely meant. */
function refuseSecond(given: Readonly<Record<string, unknown>>, name: string): void {
  if (Object.hasOwn(given, name)) throw new Failure('usage', `"${name}" takes one value, and two are given`);
}

function mayBeText(schema: Schema): boolean {
  if (Array.isArray(schema.enum)) return false;
  return alternativesOf(schema).some(({ type }) => type === undefined || type === 'string');
}

/** A text as the value that the schema wants. Where it wants several kinds, the narrowest that fits is taken. */
export function typedText(text: string, schema: Schema, name: string): unknown {
  if (Array.isArray(schema.enum)) return choice(text, schema.enum, name);
  const alternatives = alternativesOf(schema);
  if (alternatives.length === 1) return one(text, alternatives[0]?.type, name);
  for (const type of narrowestFirst) {
    if (!alternatives.some((each) => each.type === type)) continue;
    try {
      return one(text, type, name);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  return text;
}

function choice(text: string, values: readonly unknown[], name: string): unknown {
  const meant = values.find((value) => String(value) === text);
  if (meant === undefined) throw unlike(name, `one of ${values.map(shownJson).join(', ')}`, text);
  return meant;
}

const narrowestFirst = ['null', 'boolean', 'integer', 'number', 'array', 'object'];

function one(text: string, type: unknown, name: string): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      if (text.trim() === '' || !Number.isFinite(Number(text))) throw unlike(name, 'a number', text);
      return Number(text);
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw unlike(name, 'true or false', text);
      return text === 'true';
    case 'null':
      if (text !== 'null') throw unlike(name, 'null', text);
      return null;
    case 'array':
    case 'object':
      return parseJson(text, `"${name}"`);
    default:
      return text;
  }
}

function unlike(name: string, wanted: string, text: string): Failure {
  return new Failure('usage', `"${name}" must be ${wanted}: ${text === '' ? 'it is empty' : text}`);
}

function parseJson(text: string, what: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Failure('usage', `${what} must be JSON: ${(error as Error).message}`);
  }
  if (isDeeper(value, deepest)) throw new Failure('usage', `${what} is nested deeper than ${deepest} levels`);
  return value;
}
