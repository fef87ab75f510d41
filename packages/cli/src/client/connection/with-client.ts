import { limits } from '@ccmcp/core';
import { type Client, ConnectionError, TimeoutError } from '@ccmcp/core/client';
import type { Context, Run } from '../context.ts';
import { processDataSource } from '../arguments/data-source.ts';
import { type Opening, openClient } from './open-client.ts';
import { processTerminal } from '../../terminal/terminal.ts';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { scriptIn } from '../../util/program.ts';
import { Failure } from '../../command/failure.ts';
import type { Target } from './target.ts';

/** Runs something with a client that is closed afterwards, whatever happens. */
export async function withClient(
  opening: Omit<Opening, 'terminal'> & Pick<Context, 'typed' | 'stderr' | 'commands'>,
  use: (context: Context) => ReturnType<Run>,
): Promise<void> {
  const terminal = processTerminal();
  try {
    await useClient({ ...opening, terminal }, use);
  } finally {
    terminal.close();
  }
}

async function useClient(
  opening: Opening & Pick<Context, 'typed' | 'stderr' | 'commands'>,
  use: (context: Context) => ReturnType<Run>,
): Promise<void> {
  let lose: (reason: Error) => void = () => {};
  const lost = new Promise<Error>((resolve) => {
    lose = resolve;
  });
  const client: Client = await openClient({ ...opening, onClose: (reason) => lose(reason) }).catch((error: unknown) =>
    Promise.reject(startFailure(error, opening.target)),
  );
  opening.stderr.connected();
  const data = processDataSource({ inShell: false, signal: opening.signal });
  const interrupted = new Promise<never>((_, reject) => {
    const { signal } = opening;
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  // The rejection is handled by the race below, or irrelevant.
  interrupted.catch(() => {});
  const context: Context = { ...opening, client, lost, data };
  let graceMs: number | undefined;
  try {
    await Promise.race([use(context), interrupted]);
  } catch (error) {
    // A server that did not answer in time is not given the full grace period to exit.
    if (error instanceof TimeoutError) graceMs = limits.clientStdio.silentGraceMs.value;
    throw error;
  } finally {
    await context.last;
    await client.close(graceMs);
  }
}

/** Explains why a server did not start, where the cause is known; otherwise returns the error. */
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
  const file = scriptIn(target);
  const folder = resolve(target.cwd ?? '.');
  if (file === undefined || existsSync(resolve(folder, file))) return error;
  const hint = `Paths are looked up from ${target.cwd === undefined ? 'the folder you are in, ' : ''}${folder}.`;
  return new Failure('unreachable', `There is no file ${file}`, { hint, cause: error });
}
