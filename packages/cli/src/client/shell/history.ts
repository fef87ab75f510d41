import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stateFolder } from '../../system/private-folder.ts';

/** The commands of earlier shells, newest first. */
export interface ShellHistory {
  lines: string[];
  size: number;
  /** Records a line; false for one that must not be recorded, even in memory. */
  record(line: string): boolean;
}

const size = 1000;
/** A longer file is truncated to the newest lines. */
const maxLines = 2 * size;
/** Longer ones are data rather than commands. */
const maxLineLength = 10_000;

/** Words that hint at a secret. */
const secretWords = /pass(?:w|phrase)|secret|token|api[-_]?key|authorization|credential|bearer|private[-_]?key|\bpin=/i;

/** True unless a line begins with a space, as in other shells, or looks like a secret. */
function isRecordable(line: string): boolean {
  return !line.startsWith(' ') && line.length <= maxLineLength && !secretWords.test(line);
}

/** The path of the history file. `CCMCP_HISTORY` overrides it; empty disables it. */
export function historyFile(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string | undefined {
  if (env.CCMCP_HISTORY !== undefined) return env.CCMCP_HISTORY || undefined;
  return join(stateFolder(env, platform), 'ccmcp', 'shell-history');
}

/** Opens the history of this user. If it can't be read or written, the shell works without it. */
export function openHistory(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): ShellHistory {
  const file = historyFile(env, platform);
  const before = file === undefined ? [] : linesOf(file);
  if (file !== undefined && before.length > maxLines) ignoreErrors(() => rewrite(file, before.slice(-size)));
  return {
    lines: before.slice(-size).reverse(),
    size,
    record(line) {
      if (!isRecordable(line)) return false;
      if (file !== undefined) ignoreErrors(() => append(file, line));
      return true;
    },
  };
}

/** Opens a file of this user. Follows no link: others may be able to create one there. */
function openOwn(file: string, flags: number): number {
  const handle = openSync(file, flags | (constants.O_NOFOLLOW ?? 0), 0o600);
  const stats = fstatSync(handle);
  const isOwn = stats.isFile() && (process.getuid === undefined || stats.uid === process.getuid());
  if (isOwn) return handle;
  closeSync(handle);
  throw new Error(`${file} is not a file of this user`);
}

function linesOf(file: string): string[] {
  try {
    const handle = openOwn(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return readFileSync(handle, 'utf8').split('\n').filter(isPrintable);
    } finally {
      closeSync(handle);
    }
  } catch {
    return [];
  }
}

/** A recalled line is written to the terminal, so it must not contain control characters. */
function isPrintable(line: string): boolean {
  return line !== '' && !/\p{Cc}/u.test(line);
}

function append(file: string, line: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  write(file, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, `${line}\n`);
}

/** Writes a temporary file first: another shell may be reading. */
function rewrite(file: string, lines: readonly string[]): void {
  const temporary = `${file}.${process.pid}`;
  write(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, `${lines.join('\n')}\n`);
  renameSync(temporary, file);
}

function write(file: string, flags: number, text: string): void {
  const handle = openOwn(file, flags);
  try {
    writeSync(handle, text);
  } finally {
    closeSync(handle);
  }
}

function ignoreErrors(act: () => void): void {
  try {
    act();
  } catch {
    // The shell works without a history.
  }
}
