import { existsSync } from 'node:fs';
import { serverNames } from '../servers.ts';
import { Failure } from './failure.ts';
import { didYouMean } from './suggest.ts';

/** Where a server is: behind a URL, or in a process that is started. */
export type Target =
  | { kind: 'url'; url: URL; label: string }
  | { kind: 'command'; command: string; args: readonly string[]; label: string };

/** How this program is started anew, for the servers that are part of it. */
export const self: readonly string[] = [process.execPath, process.argv[1] ?? ''];

/** What a target on the command line means; what stood after `--` is a command as it is. */
export function targetOf(word: string | undefined, command: readonly string[] | undefined): Target {
  if (command !== undefined) {
    const [program = '', ...args] = command;
    return { kind: 'command', command: program, args, label: command.join(' ') };
  }
  if (word === undefined) throw new Failure('usage', 'A target is missing', { hint });
  if (/^https?:\/\//i.test(word)) return urlTarget(word);
  if (serverNames.some((name) => name === word)) return ownTarget(word, [word]);
  if (looksLikeFile(word)) return fileTarget(word);
  const message = `"${word}" is no server.${didYouMean(word, serverNames)}`;
  throw new Failure('usage', message, { hint: `${hint} Ready-made servers: ${serverNames.join(', ')}.` });
}

const hint =
  'A target is the name of a ready-made server, a URL, a file such as ./server.js, or a command after "--" at the end.';

function urlTarget(text: string): Target {
  if (!URL.canParse(text)) throw new Failure('usage', `"${text}" is no URL`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new Failure('usage', 'A URL with a password in it shows up in lists of processes: use --header instead');
  }
  return { kind: 'url', url, label: url.href };
}

function fileTarget(word: string): Target {
  if (!existsSync(word)) throw new Failure('usage', `There is no file ${word}`);
  return ownTarget(word, ['serve', word]);
}

function ownTarget(label: string, args: readonly string[]): Target {
  const [command = '', ...before] = self;
  return { kind: 'command', command, args: [...before, ...args], label };
}

function looksLikeFile(word: string): boolean {
  return /[/\\]|\.[cm]?[jt]s$/.test(word);
}
