import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConnectionError } from '@ccmcp/core/client';
import { scriptOf } from '../programs.ts';
import { Failure } from './failure.ts';
import type { Target } from './target.ts';

/** What kept a server from starting, where more can be said of it than that it ended; else the error as it is. */
export function startFailure(error: unknown, target: Target): unknown {
  if (!(error instanceof ConnectionError) || target.kind !== 'command') return error;
  const { command } = target;
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  if (cause?.code === 'ENOENT') {
    const hint = 'Is it installed, and is its folder in PATH? An absolute path always works.';
    return new Failure('unreachable', `There is no program "${command}"`, { hint, cause: error });
  }
  if (cause?.code === 'EACCES') {
    const hint = `Make it one with "chmod +x ${command}", or name the program that runs it, such as node.`;
    return new Failure('unreachable', `"${command}" is not a program that may be run`, { hint, cause: error });
  }
  const file = scriptOf(target);
  const folder = resolve(target.cwd ?? '.');
  if (file === undefined || existsSync(resolve(folder, file))) return error;
  const hint = `Paths are looked up from ${target.cwd === undefined ? 'the folder you are in, ' : ''}${folder}.`;
  return new Failure('unreachable', `There is no file ${file}`, { hint, cause: error });
}
