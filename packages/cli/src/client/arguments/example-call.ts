import { isDeepStrictEqual } from 'node:util';
import { parseToolArguments } from './arguments.ts';
import { exampleMember } from './example-value.ts';
import type { DataSource } from './data-source.ts';
import { selfCommand } from '../../system/self-command.ts';
import { safeJson } from '../../terminal/print.ts';
import { propertiesOf, requiredOf, resolveRef, toSchema } from '../describe/schema.ts';
import { quoteWord } from '../../system/shell-words.ts';

/** The target as typed: a word, or a command after `--`. */
export interface TypedTarget {
  word: string | undefined;
  command: readonly string[] | undefined;
  /** Flags for a ready-made server. */
  flags: readonly string[];
}

interface ListedTool {
  name: string;
  inputSchema?: unknown;
}

/** A shell command that calls a tool with its required arguments; undefined if no valid values could be generated. */
export async function exampleCall(tool: ListedTool, target: TypedTarget): Promise<string | undefined> {
  const words = await exampleWords(tool);
  return words && commandLine('call', target, [tool.name, ...words]);
}

/** A shell command that runs this program on a target. */
export function commandLine(
  command: string,
  { word, command: started, flags }: TypedTarget,
  words: readonly string[],
): string {
  const before = word === undefined || started !== undefined ? [] : [word];
  const after = started === undefined ? [] : ['--', ...started];
  // A name with a dash in front would be taken for an option.
  const at = words.findIndex((each) => each.startsWith('-'));
  const own = at === -1 ? words : [...words.slice(0, at), '--', ...words.slice(at)];
  return [selfCommand(), command, ...before, ...flags, ...own, ...after].map(quoteWord).join(' ');
}

/** The arguments as words. Each notation is parsed again, to verify that it means these values. */
async function exampleWords(tool: ListedTool): Promise<string[] | undefined> {
  const schema = toSchema(tool.inputSchema);
  const properties = propertiesOf(schema);
  const names = requiredOf(schema);
  const values = names.map((name) => [name, exampleMember(name, properties.get(name) ?? {}, schema)] as const);
  if (values.some(([, value]) => value === undefined)) return undefined;
  const wanted = Object.fromEntries(values);
  const plain = values.flatMap(([name, value]) => plainWords(name, value));
  const json = values.map(([name, value]) => `${name}:=${safeJson(value)}`);
  const whole = names.length === 0 ? [] : [safeJson(wanted)];
  // A value is written plainly if possible, otherwise as JSON.
  const mixed: string[] = [];
  for (const [name, value] of values) {
    const own = plainWords(name, value);
    const alone = { name: tool.name, inputSchema: { ...schema, required: [] } };
    const isPlain = await parsesTo(alone, own, { [name]: value });
    mixed.push(...(isPlain ? own : [`${name}:=${safeJson(value)}`]));
  }
  for (const words of [plain, mixed, json, whole]) if (await parsesTo(tool, words, wanted)) return words;
  return undefined;

  function plainWords(name: string, value: unknown): string[] {
    const isList = resolveRef(properties.get(name) ?? {}, schema).type === 'array';
    if (isList && Array.isArray(value) && value.length > 0) return value.map((item) => `${name}=${textOf(item)}`);
    return [`${name}=${textOf(value)}`];
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : safeJson(value);
}

/** An example reads no file and no input. */
const nothing: DataSource = {
  file: () => Promise.reject(new Error('There are no files for examples')),
  stdin: () => Promise.reject(new Error('There is no input for examples')),
};

async function parsesTo(tool: ListedTool, words: readonly string[], wanted: Record<string, unknown>): Promise<boolean> {
  try {
    return isDeepStrictEqual({ ...(await parseToolArguments(tool, words, nothing)) }, { ...wanted });
  } catch {
    return false;
  }
}
