import { limits } from '@ccmcp/core';
import { type Client, TimeoutError } from '@ccmcp/core/client';
import type { Context, Run } from './command.ts';
import { processData } from './given-data.ts';
import { type Opening, openClient } from './open.ts';
import { startFailure } from './start-failure.ts';
import { processTerminal } from './terminal.ts';

/** Runs something with a client that is closed afterwards, whatever happens. */
export async function withClient(
  opening: Omit<Opening, 'terminal'> & Pick<Context, 'typed' | 'stderr'>,
  use: (context: Context) => ReturnType<Run>,
): Promise<void> {
  const terminal = processTerminal();
  try {
    await within({ ...opening, terminal }, use);
  } finally {
    terminal.close();
  }
}

async function within(
  opening: Opening & Pick<Context, 'typed' | 'stderr'>,
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
  const data = processData({ inShell: false, signal: opening.signal });
  const interrupted = new Promise<never>((_, reject) => {
    const { signal } = opening;
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  // Whoever is not waiting for it any more need not hear of it.
  interrupted.catch(() => {});
  const context: Context = { ...opening, client, lost, data };
  let graceMs: number | undefined;
  try {
    await Promise.race([use(context), interrupted]);
  } catch (error) {
    // Who did not answer in time would use the time for its end in the same way.
    if (error instanceof TimeoutError) graceMs = limits.clientStdio.silentGraceMs.value;
    throw error;
  } finally {
    await context.last;
    await client.close(graceMs);
  }
}
