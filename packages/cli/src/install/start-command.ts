import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Program } from '../programs.ts';
import { readEnvFile } from './env-file.ts';
import { findCommand } from './find-command.ts';
import { runnable } from './full-paths.ts';
import type { StdioEntry } from './server-entry.ts';
import type { Place } from './world.ts';

/** A program with all that it is started with. */
export interface Start extends Program {
  cwd: string;
  env: Record<string, string>;
}

/** What is run for an entry. Throws in words where there is no such program, folder or file. */
export function startOf({ command, args, env: given, envFile, cwd: own }: StdioEntry, place: Place): Start {
  const cwd = resolve(place.cwd, own ?? '.');
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Error(`its folder ${cwd} does not exist`);
  const env = { ...(envFile !== undefined && readEnvFile(resolve(cwd, envFile))), ...given };
  const path = findCommand(command, { ...place, cwd, env: { ...place.env, ...env } });
  return { ...runnable({ command: path, args }, place), cwd, env };
}
