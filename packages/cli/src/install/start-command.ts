import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Program } from '../util/program.ts';
import { findCommand } from './find-command.ts';
import { wrapBatchFile } from './absolute-paths.ts';
import type { StdioEntry } from './server-entry.ts';
import type { Location } from '../util/environment.ts';
import { readRegularFile } from './config-file/regular-file.ts';

/** A program with its folder and environment. */
export interface Start extends Program {
  cwd: string;
  env: Record<string, string>;
}

/** The program that an entry starts. Throws a sentence where the program, folder or file is missing. */
export function resolveStart({ command, args, env: given, envFile, cwd: own }: StdioEntry, place: Location): Start {
  const cwd = resolve(place.cwd, own ?? '.');
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Error(`its folder ${cwd} does not exist`);
  const env = { ...(envFile !== undefined && readEnvFile(resolve(cwd, envFile))), ...given };
  const path = findCommand(command, { ...place, cwd, env: { ...place.env, ...env } });
  return { ...wrapBatchFile({ command: path, args }, place), cwd, env };
}

/** The variables in a file of lines such as `NAME=value`, with or without quotes; ` #` begins a comment. */
export function readEnvFile(path: string): Record<string, string> {
  const bytes = readRegularFile(path);
  if (bytes === undefined) throw new Error(`the file ${path} with its environment does not exist`);
  return Object.fromEntries(bytes.toString('utf8').split(/\r?\n/).flatMap(variableIn));
}

function variableIn(line: string): [string, string][] {
  const at = line.indexOf('=');
  const name = line
    .slice(0, Math.max(at, 0))
    .trim()
    .replace(/^export\s+/, '');
  return /^[\w.-]+$/.test(name) ? [[name, valueOf(line.slice(at + 1).trim())]] : [];
}

function valueOf(text: string): string {
  const [quote = ''] = text;
  const end = text.indexOf(quote, 1);
  if (/["'`]/.test(quote) && end !== -1) {
    const inside = text.slice(1, end);
    return quote === '"' ? inside.replaceAll(String.raw`\n`, '\n') : inside;
  }
  const comment = text.search(/(?:^|\s)#/);
  return comment === -1 ? text : text.slice(0, comment).trimEnd();
}
