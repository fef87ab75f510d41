import { safeJson } from '../../terminal/print.ts';
import { Failure } from '../../command/failure.ts';
import { decodeData, type DataSource } from './data-source.ts';
import { alternativesOf, propertiesOf, requiredOf, resolveRef, type Schema } from '../describe/schema.ts';
import { toolSignature } from '../describe/signature.ts';
import { didYouMean } from '../../command/suggest.ts';
import { isDeeper } from '../../config/file/syntax.ts';

/** Maximum depth of an argument that is given as JSON. */
const maxDepth = 1000;

/** Words such as `name=Ada` and `tags:=["a"]`, by name, in the order they were given. */
export interface Pair {
  name: string;
  value: string;
  /** `json` for `:=`, whose value is JSON regardless of the schema. */
  kind: 'text' | 'json';
}

/** Splits words of the form `key=value` and `key:=json`. */
export function parsePairs(words: readonly string[]): Pair[] {
  return words.map((word) => {
    const found = /^([^=]*?)(:?)=(.*)$/s.exec(word);
    const [, name = '', colon, value = ''] = found ?? [];
    if (name === '') {
      throw new Failure('usage', `"${word}" is not an argument: write key=value, or key:=json for JSON`);
    }
    return { name, value, kind: colon === ':' ? 'json' : 'text' };
  });
}

/** The arguments of a tool from the words of the command line, with the types that the tool's schema wants. */
export async function parseToolArguments(
  tool: { name: string; inputSchema?: unknown },
  words: readonly string[],
  data: DataSource,
): Promise<Record<string, unknown>> {
  const [first = ''] = words;
  if (words.length === 1 && /^(?:\{|-$|@)/.test(first)) return parseObject(await readValue(first, {}, data));
  const schema = (tool.inputSchema ?? {}) as Schema;
  const given: Record<string, unknown> = {};
  for (const pair of parsePairs(words)) await assign(given, { pair, tool: tool.name, schema, data });
  const missing = requiredOf(schema).filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0) {
    const hint = `It is called like this: ${toolSignature(tool)}`;
    throw new Failure('usage', `"${tool.name}" needs ${missing.join(', ')}`, { hint });
  }
  return given;
}

/** The arguments of a prompt, or the variables of a template: all of them are text. */
export async function parseTextArguments(words: readonly string[], data: DataSource): Promise<Record<string, string>> {
  const given: Record<string, string> = {};
  for (const { name, value } of parsePairs(words)) {
    rejectDuplicate(given, name);
    given[name] = await readValue(value, { name }, data);
  }
  return given;
}

function parseObject(text: string): Record<string, unknown> {
  const value = parseJson(text, 'The arguments');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failure('usage', 'The arguments must be a JSON object');
  return value as Record<string, unknown>;
}

/** Resolves a value: `@` names a file, `-` is standard input, `@@` escapes an `@`. */
async function readValue(
  value: string,
  { name = '', schema = {} }: { name?: string; schema?: Schema },
  data: DataSource,
): Promise<string> {
  if (!isReference(value)) return value.replace(/^@@/, '@');
  return decodeData(await (value === '-' ? data.stdin() : data.file(value.slice(1))), schema, name);
}

function isReference(value: string): boolean {
  return value === '-' || /^@[^@]/.test(value);
}

interface Assignment {
  pair: Pair;
  tool: string;
  schema: Schema;
  data: DataSource;
}

async function assign(given: Record<string, unknown>, { pair, tool, schema, data }: Assignment): Promise<void> {
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
    rejectDuplicate(given, name);
    given[name] = parseJson(await readValue(value, { name }, data), `"${name}"`);
    return;
  }
  const known = resolveRef(property ?? {}, schema);
  const item = known.type === 'array' ? resolveRef((known.items ?? {}) as Schema, schema) : known;
  const text = await readValue(value, { name, schema: item }, data);
  const isItem = known.type === 'array' && !text.startsWith('[');
  const wanted = isItem ? item : known;
  // A trailing newline of a file is not part of a number.
  const typed = parseTyped(isReference(value) && !mayBeText(wanted) ? text.trim() : text, wanted, name);
  if (!isItem) rejectDuplicate(given, name);
  const list = given[name];
  given[name] = isItem && Array.isArray(list) ? [...list, typed] : isItem ? [typed] : typed;
}

/** Rejects a second value for an argument that takes one. */
function rejectDuplicate(given: Readonly<Record<string, unknown>>, name: string): void {
  if (Object.hasOwn(given, name)) throw new Failure('usage', `"${name}" takes one value, and two are given`);
}

function mayBeText(schema: Schema): boolean {
  if (Array.isArray(schema.enum)) return false;
  return alternativesOf(schema).some(({ type }) => type === undefined || type === 'string');
}

/** Converts a text to the type that the schema requires. If it allows several, the narrowest matching type wins. */
export function parseTyped(text: string, schema: Schema, name: string): unknown {
  if (Array.isArray(schema.enum)) return parseChoice(text, schema.enum, name);
  const alternatives = alternativesOf(schema);
  if (alternatives.length === 1) return parseAs(text, alternatives[0]?.type, name);
  for (const type of narrowestFirst) {
    if (!alternatives.some((each) => each.type === type)) continue;
    try {
      return parseAs(text, type, name);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  return text;
}

function parseChoice(text: string, values: readonly unknown[], name: string): unknown {
  const meant = values.find((value) => String(value) === text);
  if (meant === undefined) throw mismatch(name, `one of ${values.map(safeJson).join(', ')}`, text);
  return meant;
}

const narrowestFirst = ['null', 'boolean', 'integer', 'number', 'array', 'object'];

function parseAs(text: string, type: unknown, name: string): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      if (text.trim() === '' || !Number.isFinite(Number(text))) throw mismatch(name, 'a number', text);
      return Number(text);
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw mismatch(name, 'true or false', text);
      return text === 'true';
    case 'null':
      if (text !== 'null') throw mismatch(name, 'null', text);
      return null;
    case 'array':
    case 'object':
      return parseJson(text, `"${name}"`);
    default:
      return text;
  }
}

function mismatch(name: string, wanted: string, text: string): Failure {
  return new Failure('usage', `"${name}" must be ${wanted}: ${text === '' ? 'it is empty' : text}`);
}

function parseJson(text: string, what: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Failure('usage', `${what} must be JSON: ${(error as Error).message}`);
  }
  if (isDeeper(value, maxDepth)) throw new Failure('usage', `${what} is nested deeper than ${maxDepth} levels`);
  return value;
}
