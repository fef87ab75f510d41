import { resolve } from 'node:path';
import { type Client, fileOf, type Scope } from './clients.ts';
import { type ConfigFile, readConfigFile } from './file/config-file.ts';
import { isRecord } from '../system/record.ts';
import { valueAt } from './file/edit.ts';
import { maskSecrets } from './file/secrets.ts';
import { ConfigSyntaxError, type Path, NotEditableError } from './file/syntax.ts';
import type { Location, Environment } from '../system/environment.ts';
import { stringifyDeep } from '../terminal/print.ts';

/** A client's file, and the servers in it. */
export interface Configuration {
  client: Client;
  file: ConfigFile;
  /** The path of the servers in the file. */
  table: Path;
  servers: Readonly<Record<string, unknown>>;
}

/** The file to edit: the named one, or the client's own. */
export function resolvePath(client: Client, scope: Scope, named: string | undefined, location: Location): string {
  const path = named === undefined ? fileOf(client, scope, location) : resolve(location.cwd, named);
  if (path === undefined) throw new Error(`${client.title} has no file for the ${scope} scope`);
  return path;
}

/** Reads a client's file. Syntax errors name the position. */
export function readConfiguration(client: Client, path: string): Configuration {
  const file = readConfigFile(path);
  return nameFile(path, () => {
    const settings = client.syntax.read(file.text);
    const table = client.table(settings);
    const servers = valueAt(settings, table);
    return { client, file, table, servers: isRecord(servers) ? servers : {} };
  });
}

/** Adds the name of the file to errors about its text. */
export function nameFile<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof ConfigSyntaxError || error instanceof NotEditableError)) throw error;
    const problem = error instanceof ConfigSyntaxError ? 'is malformed' : "can't be edited";
    throw new Error(`${path} ${problem}, ${error.message}; nothing was written`, { cause: error });
  }
}

/** The diff of a file, with secrets masked. */
export function formatChange({ client, file }: Configuration, after: string): string {
  const [old, changed] = [file.text, after].map((text) => maskSecrets(client.syntax, text)) as [string, string];
  if (old === changed) return `${file.path}: what differs may be secret, and is not shown\n`;
  return diff(file.path, old, changed);
}

/** A change to the configuration of a client. */
export interface Change {
  readonly file: string;
  /** False if there was nothing to do, or the options forbid it. */
  readonly changed: boolean;
  /** The path of the backup. */
  readonly backup?: string;
  /** The diff that `--dry-run` prints. */
  readonly diff?: string;
  /** The entry that `--print` prints. */
  readonly entry?: string;
}

/** The result that `--json` prints for a command that changes a configuration. */
export interface Outcome extends Change {
  readonly client: string;
  readonly servers: readonly string[];
}

/** Runs a command. With `--json` it prints nothing but its outcome, as one line of JSON. Returns the exit code. */
export function reportOutcome(
  environment: Environment,
  json: boolean | undefined,
  act: (environment: Environment) => Outcome,
): number {
  const outcome = act(json ? { ...environment, print: () => {}, printStderr: () => {} } : environment);
  if (json) environment.print(`${stringifyDeep(outcome)}\n`);
  return 0;
}

const context = 3;

interface Line {
  sign: ' ' | '-' | '+';
  text: string;
}

/** The lines in which two texts differ, with a few around them. */
export function diff(path: string, before: string, after: string): string {
  const lines = compare(split(before), split(after));
  const shown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' '),
  );
  const body = lines.flatMap(({ sign, text }, index) => {
    if (shown[index] !== true) return [];
    return shown[index - 1] === false ? ['@@', sign + text] : [sign + text];
  });
  return [`--- ${path}`, `+++ ${path}`, ...body, ''].join('\n');
}

function split(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return [
    ...toContextLines(before.slice(0, head)),
    ...compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...toContextLines(before.slice(before.length - tail)),
  ];
}

/** Longest common subsequence; the input is short. */
function compareMiddle(before: readonly string[], after: readonly string[]): Line[] {
  const common: number[][] = before.map(() => []);
  const lengthAt = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = common[i] as number[];
      row[j] = before[i] === after[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const [old, changed] = [before[i], after[j]];
    if (old !== undefined && old === changed) {
      lines.push({ sign: ' ', text: old });
      i += 1;
      j += 1;
    } else if (old !== undefined && (changed === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push({ sign: '-', text: old });
      i += 1;
    } else {
      lines.push({ sign: '+', text: changed as string });
      j += 1;
    }
  }
  return lines;
}

function toContextLines(texts: readonly string[]): Line[] {
  return texts.map((text) => ({ sign: ' ', text }));
}
