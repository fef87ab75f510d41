import { statSync, accessSync, constants } from 'node:fs';
import { resolve, posix, win32 } from 'node:path';
import { type Program, scriptIn } from '../system/program.ts';
import type { StdioEntry } from './server-entry.ts';
import type { Location } from '../system/environment.ts';
import { readRegularFile, isRegularFile } from './file/regular-file.ts';
import { UsageError } from '../command/usage-error.ts';

/** A program with its folder and environment. */
export interface Start extends Program {
  cwd: string;
  env: Record<string, string>;
}

/** The program that an entry starts. Throws a sentence if the program, folder or file is missing. */
export function resolveStart({ command, args, env: given, envFile, cwd: own }: StdioEntry, location: Location): Start {
  const cwd = resolve(location.cwd, own ?? '.');
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Error(`its folder ${cwd} does not exist`);
  const env = { ...(envFile !== undefined && readEnvFile(resolve(cwd, envFile))), ...given };
  const path = findCommand(command, { ...location, cwd, env: { ...location.env, ...env } });
  return { ...wrapBatchFile({ command: path, args }, location), cwd, env };
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

const pathOptions = ['--root', '--db'];

/** Clients start servers in other folders, so paths must be absolute. */
export function absoluteArgument(argument: string, before: string | undefined, { cwd, home }: Location): string {
  const [, option = '', value = ''] = /^(--[\w-]+=)?(.*)$/s.exec(argument) ?? [];
  const isPath = pathOptions.includes(option === '' ? (before ?? '') : option.slice(0, -1)) && !/^\w+:/.test(value);
  if (/^~(?:[\\/]|$)/.test(value)) return option + resolve(home, value.slice(2));
  return isPath || /^\.{1,2}(?:[\\/]|$)/.test(value) ? option + resolve(cwd, value) : argument;
}

/** Resolves the program, the script and all file arguments of a command to absolute paths. */
export function absoluteCommand([command = '', ...args]: readonly string[], location: Location): Program {
  const script = scriptIn({ command, args });
  if (script !== undefined && !isRegularFile(resolve(location.cwd, script)))
    throw new UsageError(`there is no file ${script}`);
  const full = args.map((argument, index) => {
    const path = resolve(location.cwd, argument);
    // A bare word may be the name of a file by chance; one with an extension is a file.
    const isMeant = !argument.startsWith('-') && /[/\\]|\.\w+$/.test(argument) && isRegularFile(path);
    return isMeant ? path : absoluteArgument(argument, args[index - 1], location);
  });
  try {
    return wrapBatchFile({ command: findCommand(command, location), args: full }, location);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Windows runs batch files through its shell only. */
function wrapBatchFile({ command, args }: Program, { platform, env }: Location): Program {
  if (platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(command)) return { command, args };
  return { command: env.ComSpec ?? 'cmd.exe', args: ['/d', '/s', '/c', command, ...args] };
}

/** Finds the program of a command on the PATH, as an operating system does. Throws if it is missing. */
function findCommand(command: string, location: Location): string {
  const isWindows = location.platform === 'win32';
  if (command.includes('/') || (isWindows && command.includes('\\'))) {
    const path = resolve(location.cwd, command);
    const found = endings(location).find((ending) => isProgram(path + ending, location));
    if (found !== undefined) return path + found;
    throw new Error(isRegularFile(path) ? `${command} is there but may not be run` : `${command} does not exist`);
  }
  const { delimiter, isAbsolute, join } = isWindows ? win32 : posix;
  // Relative folders are skipped: the working directory is untrusted.
  for (const folder of (location.env.PATH ?? '').split(delimiter).filter((each) => isAbsolute(each))) {
    for (const ending of endings(location)) {
      const path = join(folder, command + ending);
      if (isProgram(path, location)) return path;
    }
  }
  throw new Error(
    `the command "${command}" is not on the PATH; write its full path, since clients often have a shorter PATH than a shell`,
  );
}

function endings({ platform, env }: Location): string[] {
  return platform === 'win32' ? ['', ...(env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';')] : [''];
}

function isProgram(path: string, { platform }: Location): boolean {
  if (!isRegularFile(path)) return false;
  try {
    accessSync(path, platform === 'win32' ? constants.F_OK : constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
