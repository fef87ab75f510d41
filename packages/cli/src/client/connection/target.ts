import { existsSync } from 'node:fs';
import { addScheme } from '../../system/url-from-word.ts';
import { fileProblem, isServerFile, looksLikeFile } from '../../servers/server-file.ts';
import { serverNames } from '../../servers/servers.ts';
import type { Configured } from './configured-target.ts';
import { Failure } from '../../command/failure.ts';
import { clientOptions } from '../options.ts';
import { didYouMean } from '../../command/suggest.ts';
import { host } from '../../host.ts';
import { scriptIn } from '../../system/program.ts';

/** Where a server is: behind a URL, or in a process that is started. */
export type Target = { label: string; configured?: Configured } & (
  | { kind: 'url'; url: URL }
  | { kind: 'command'; command: string; args: readonly string[]; cwd?: string; isOwnFile?: true }
);

/** Options of a target. */
export interface TargetOptions {
  /** Flags for a ready-made server. */
  serverArgs?: readonly string[];
  /** More environment variables, which entries may reference too. */
  env?: Readonly<Record<string, string>>;
}

/** The command line that starts this program, for ready-made servers. */
export function selfCommandLine(): readonly string[] {
  return [process.execPath, host.script];
}

/** Resolves a target of the command line; `command` is the words after `--`. */
export async function resolveTarget(
  word: string | undefined,
  command: readonly string[] | undefined,
  { serverArgs = [], env = {} }: TargetOptions = {},
): Promise<Target> {
  const isReady = command === undefined && serverNames.some((name) => name === word);
  if (isReady && word !== undefined) return ownTarget(word, [word, ...serverArgs]);
  const [foreign] = serverArgs.map((flag) => flag.split('=', 1)[0] ?? '').filter((flag) => !isOption(flag));
  if (foreign !== undefined)
    throw new Failure('usage', `${foreign} is for ready-made servers: ${serverNames.join(', ')}`);
  if (command !== undefined) {
    const [program = '', ...args] = command;
    return { kind: 'command', command: program, args, label: command.join(' ') };
  }
  if (word === undefined) throw await missingTarget();
  if (/^https?:\/\//i.test(word)) return urlTarget(word);
  if (isServerFile(word) && existsSync(word)) return fileTarget(word);
  const { findConfiguredTarget, configuredTargetNames } = await import('./configured-target.ts');
  const configured = findConfiguredTarget(word, env);
  if (configured !== undefined) return configured;
  const address = addScheme(word);
  if (address !== word) return urlTarget(address);
  if (looksLikeFile(word) || existsSync(word)) return fileTarget(word);
  const names = configuredTargetNames();
  const elsewhere = names.find((name) => name.endsWith(`:${word}`));
  const meant =
    elsewhere === undefined ? didYouMean(word, [...serverNames, ...names]) : ` Did you mean "${elsewhere}"?`;
  const message = `Unknown server "${word}".${meant}`;
  throw new Failure('usage', message, { hint: `${hint} Ready-made servers: ${serverNames.join(', ')}.` });
}

/** Whether an option of ready-made servers also applies to other targets. */
function isOption(flag: string): boolean {
  return Object.hasOwn(clientOptions, flag.replace(/^--/, ''));
}

const hint =
  'A target is the name of a ready-made server, a URL, a file such as ./server.js, a configured server such as ' +
  'cursor:NAME, the NAME of one in ./mcp.json, or a command after "--" at the end.';

/** Lists the possible targets: ready-made and configured servers. */
async function missingTarget(): Promise<Failure> {
  const { configuredTargetNames } = await import('./configured-target.ts');
  const names = configuredTargetNames();
  const shown = names.slice(0, 20).join(', ');
  const configured = names.length === 0 ? '' : ` Configured servers: ${shown}${names.length > 20 ? ' …' : ''}.`;
  const known = `Ready-made servers: ${serverNames.join(', ')}.${configured}`;
  return new Failure('usage', 'A target is missing', { hint: `${hint} ${known}` });
}

function urlTarget(text: string): Target {
  if (!URL.canParse(text)) throw new Failure('usage', `"${text}" is no URL`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new Failure('usage', 'A URL with a password in it shows up in lists of processes: use --header instead');
  }
  return { kind: 'url', url, label: url.href };
}

function fileTarget(word: string): Target {
  const problem = fileProblem(word);
  if (problem !== undefined) throw new Failure('usage', problem.replace(/^there/, 'There'));
  return { ...ownTarget(word, ['serve', word]), isOwnFile: true };
}

function ownTarget(label: string, args: readonly string[]): Extract<Target, { kind: 'command' }> {
  const [command = '', ...before] = selfCommandLine();
  return { kind: 'command', command, args: [...before, ...args], label };
}

type CommandTarget = Extract<Target, { kind: 'command' }>;

/** The name of a started server in messages: the user's file, not the runtime. */
export function serverName(target: CommandTarget): string {
  // Ready-made and configured servers have the name that the user typed.
  const isNamed = target.args[0] === selfCommandLine()[1] || target.configured !== undefined;
  return (isNamed ? undefined : scriptIn(target)) ?? target.label;
}
