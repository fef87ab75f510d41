import { readdirSync } from 'node:fs';
import type { Client } from '@ccmcp/core/client';
import { toOneLine, safeJson } from '../../terminal/print.ts';
import { toSchema, alternativesOf, propertiesOf, resolveRef, type Schema } from '../describe/schema.ts';
import { taskVerbs } from '../options.ts';
import { quoteWord } from '../../system/shell-words.ts';

/** Completes a line of the shell: commands, then names, then arguments. Sends requests to the server if necessary. */
export function completer(client: Client, commands: readonly string[]): (line: string) => Promise<[string[], string]> {
  return async (line) => {
    const words = line.trimStart().split(/\s+/);
    const last = words.at(-1) ?? '';
    const candidates = await candidatesFor(client, commands, words).catch(() => []);
    // A candidate that needs escaping can't be typed.
    const fitting = candidates.filter((candidate) => candidate.startsWith(last) && toOneLine(candidate) === candidate);
    return [fitting, last];
  };
}

async function candidatesFor(client: Client, commands: readonly string[], words: readonly string[]): Promise<string[]> {
  const [command, name, ...given] = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  if (command === undefined) return [...commands, 'help', 'exit'].map((each) => `${each} `);
  switch (command) {
    case 'show':
      return name === undefined ? [...(await toolNames(client)), ...(await promptNames(client).catch(() => []))] : [];
    case 'call':
      return name === undefined ? toolNames(client) : toolArguments(client, { name, given, last });
    case 'prompt':
      return name === undefined ? promptNames(client) : promptArguments(client, { name, given, last });
    case 'read':
    case 'listen':
      return client.capabilities.resources === undefined ? [] : uris(client);
    case 'complete':
      return name === undefined ? [...(await promptNames(client)), ...(await templates(client))] : [];
    case 'tasks':
      return name === undefined ? taskVerbs.map((verb) => `${verb} `) : [];
    case 'list':
      return ['tools ', 'resources ', 'templates ', 'prompts '];
    default:
      return [];
  }
}

async function toolNames(client: Client): Promise<string[]> {
  return (await client.listTools().all()).map(({ name }) => `${name} `);
}

/** Argument names; after a name, the values that its schema lists, or files. */
async function toolArguments(client: Client, { name, given, last }: Typed): Promise<string[]> {
  const tool = (await client.listTools().all()).find((each) => each.name === name);
  return argumentCandidates(toSchema(tool?.inputSchema), { given, last });
}

async function promptNames(client: Client): Promise<string[]> {
  if (client.capabilities.prompts === undefined) return [];
  return (await client.listPrompts().all()).map(({ name }) => `${name} `);
}

interface Typed {
  name: string;
  given: readonly string[];
  last: string;
}

/** Argument names; after a name, its values as the server completes them. */
async function promptArguments(client: Client, { name, given, last }: Typed): Promise<string[]> {
  const equals = last.indexOf('=');
  if (equals === -1) {
    const prompt = (await client.listPrompts().all()).find((each) => each.name === name);
    return remainingNames(
      (prompt?.arguments ?? []).map((each) => each.name),
      given,
    );
  }
  if (last.charAt(equals + 1) === '@') return fileCandidates(last.slice(0, equals + 2), last.slice(equals + 2));
  if (client.capabilities.completions === undefined) return [];
  const argument = last.slice(0, equals);
  const others = given.map((pair) => pair.split('=', 2) as [string, string]).filter(([, value]) => value !== undefined);
  const { values } = await client.complete({
    ref: { type: 'ref/prompt', name },
    argument: { name: argument, value: last.slice(equals + 1) },
    context: { arguments: Object.fromEntries(others) },
  });
  return values.map((value) => `${argument}=${value} `);
}

async function templates(client: Client): Promise<string[]> {
  if (client.capabilities.resources === undefined) return [];
  return (await client.listResourceTemplates().all()).map(({ uriTemplate }) => `${uriTemplate} `);
}

async function uris(client: Client): Promise<string[]> {
  return (await client.listResources().all()).map(({ uri }) => `${uri} `);
}

/** The maximum number of candidates. */
const maxCandidates = 200;

/** Completes an argument of a tool: names that are left, then the values of the schema. */
export function argumentCandidates(
  schema: Schema,
  { given, last }: { given: readonly string[]; last: string },
): string[] {
  const properties = propertiesOf(schema);
  const [, name, operator = '', value = ''] = /^([^=]*?)(:?=)(.*)$/s.exec(last) ?? [];
  if (name === undefined) {
    const lists = [...properties].filter(([, each]) => resolveRef(each, schema).type === 'array').map(([each]) => each);
    return remainingNames([...properties.keys()], given, lists);
  }
  if (value.startsWith('@')) return fileCandidates(`${name}${operator}@`, value.slice(1));
  const values = valuesOf(properties.get(name) ?? {}, schema);
  return values.map(
    (each) => `${name}${operator}${operator === '=' && typeof each === 'string' ? quoteWord(each) : safeJson(each)} `,
  );
}

/** The values that a schema lists. */
function valuesOf(given: Schema, root: Schema): unknown[] {
  const schema = resolveRef(given, root);
  const { const: only, enum: listed, type, items } = schema;
  if (only !== undefined) return [only];
  if (Array.isArray(listed)) return listed.slice(0, maxCandidates);
  if (type === 'boolean') return [true, false];
  if (type === 'array') return shallowValues(toSchema(items), root);
  const alternatives = alternativesOf(schema);
  return alternatives.length < 2 ? [] : alternatives.slice(0, maxCandidates).flatMap((one) => shallowValues(one, root));
}

/** The values of a schema without recursion: it may refer to itself. */
function shallowValues(given: Schema, root: Schema): unknown[] {
  const { const: only, enum: listed, type } = resolveRef(given, root);
  if (only !== undefined) return [only];
  return Array.isArray(listed) ? listed.slice(0, maxCandidates) : type === 'boolean' ? [true, false] : [];
}

/** The remaining names, with the separator before a value; those of lists may be repeated. */
function remainingNames(names: readonly string[], given: readonly string[], again: readonly string[] = []): string[] {
  const isGiven = (name: string): boolean =>
    given.some((pair) => pair.startsWith(`${name}=`) || pair.startsWith(`${name}:=`));
  return names.filter((name) => again.includes(name) || !isGiven(name)).map((name) => `${name}=`);
}

/** Files and folders that match the path, each prefixed with `before`. */
function fileCandidates(before: string, path: string): string[] {
  const slash = path.lastIndexOf('/') + 1;
  try {
    return readdirSync(path.slice(0, slash) || '.', { withFileTypes: true })
      .filter(({ name }) => name.startsWith(path.slice(slash)) && !/[\s"'\\]/.test(name))
      .filter(({ name }) => !name.startsWith('.') || path.slice(slash).startsWith('.'))
      .slice(0, maxCandidates)
      .map((entry) => `${before}${path.slice(0, slash)}${entry.name}${entry.isDirectory() ? '/' : ' '}`);
  } catch {
    return [];
  }
}
