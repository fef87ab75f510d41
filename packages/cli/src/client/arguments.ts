import { Failure } from './failure.ts';
import { alternativesOf, propertiesOf, requiredOf, resolved, type Schema } from './schema.ts';
import { toolSignature } from './signature.ts';
import { didYouMean } from './suggest.ts';

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
export function toolArguments(
  tool: { name: string; inputSchema?: unknown },
  words: readonly string[],
): Record<string, unknown> {
  const [first = ''] = words;
  if (words.length === 1 && first.startsWith('{')) return wholeObject(first);
  const schema = (tool.inputSchema ?? {}) as Schema;
  const given: Record<string, unknown> = {};
  for (const pair of pairsOf(words)) add(given, pair, tool.name, schema);
  const missing = requiredOf(schema).filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0) {
    const hint = `It is called like this: ${toolSignature(tool)}`;
    throw new Failure('usage', `"${tool.name}" needs ${missing.join(', ')}`, { hint });
  }
  return given;
}

/** The arguments of a prompt, or the variables of a template: all of them are text. */
export function textArguments(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(pairsOf(words).map(({ name, value }) => [name, value]));
}

function wholeObject(text: string): Record<string, unknown> {
  const value = parseJson(text, 'The arguments');
  if (typeof value !== 'object' || value === null) throw new Failure('usage', 'The arguments must be a JSON object');
  return value as Record<string, unknown>;
}

function add(given: Record<string, unknown>, { name, value, kind }: Pair, tool: string, schema: Schema): void {
  const properties = propertiesOf(schema);
  const property = properties.get(name);
  const isOpen = properties.size === 0 || (schema.additionalProperties ?? false) !== false;
  if (property === undefined && !isOpen) {
    const names = [...properties.keys()];
    const hint = `It takes ${names.join(', ')}.`;
    throw new Failure('usage', `"${tool}" takes no "${name}".${didYouMean(name, names)}`, { hint });
  }
  if (kind === 'json') {
    given[name] = parseJson(value, `"${name}"`);
    return;
  }
  const known = resolved(property ?? {}, schema);
  const list = given[name];
  if (known.type === 'array' && !value.startsWith('[')) {
    const item = typedText(value, resolved((known.items ?? {}) as Schema, schema), name);
    given[name] = Array.isArray(list) ? [...list, item] : [item];
  } else {
    given[name] = typedText(value, known, name);
  }
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
  if (meant === undefined)
    throw unlike(name, `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`, text);
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
  return new Failure('usage', `"${name}" must be ${wanted}: ${text}`);
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure('usage', `${what} must be JSON: ${(error as Error).message}`);
  }
}
