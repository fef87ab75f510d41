import type { Client } from '@ccmcp/core/client';
import type { ClientOptions } from './options.ts';
import type { Output } from './output.ts';
import type { Terminal } from './terminal.ts';

/** What a command works with: an open client, and where it writes. */
export interface Context {
  client: Client;
  options: ClientOptions;
  output: Output;
  terminal: Terminal;
  /** Aborted when the user interrupts. */
  signal: AbortSignal;
  /** Resolves with the reason when the connection ends by itself. */
  lost: Promise<Error>;
}

/** A command that talks to a server. Throws a `Failure` where it can't do what it was asked. */
export type Run = (context: Context, words: readonly string[]) => Promise<void>;
