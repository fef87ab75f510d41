import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { print, printStderr } from '../terminal/print.ts';
import { host } from '../host.ts';

/** The platform, folders and environment of the command, which decide the files that a client reads. */
export interface Location {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  cwd: string;
}

/** The environment of a command. Tests replace it. */
export interface Environment extends Location {
  /** The absolute path of Node: graphical programs don't have the PATH of a shell. */
  node: string;
  /** The absolute path of this command. */
  command: string;
  now(): Date;
  /** Writes the result to stdout. */
  print(text: string): void;
  /** Writes messages to stderr. */
  printStderr(text: string): void;
}

/** The environment of this process. */
export function processEnvironment(): Environment {
  const { env, platform, execPath } = process;
  return {
    platform,
    env,
    home: (platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir(),
    cwd: process.cwd(),
    node: execPath,
    command: realpathSync(host.script),
    now: () => new Date(),
    print,
    printStderr,
  };
}

/** The variables of this process for a program that it starts, except one. */
export function shellEnvironment(withheld?: string): Record<string, string> {
  const { [withheld ?? '']: _, ...inherited } = process.env as Record<string, string>;
  return inherited;
}
