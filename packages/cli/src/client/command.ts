import type { Client } from '@ccmcp/core/client';
import type { TypedTarget } from './example-call.ts';
import type { GivenData } from './given-data.ts';
import type { ClientOptions } from './options.ts';
import type { Output } from './output.ts';
import type { ServerStderr } from './server-stderr.ts';
import type { Target } from './target.ts';
import type { Terminal } from './terminal.ts';

/** What a command works with: an open client, and where it writes. */
export interface Context {
  client: Client;
  options: ClientOptions;
  output: Output;
  terminal: Terminal;
  /** What the user typed to name the server. */
  typed: TypedTarget;
  /** What the server writes to stderr, where it was started for the command. */
  stderr: ServerStderr;
  /** What arguments name instead of being. */
  data: GivenData;
  /** Other commands write to the same output before and after this one. */
  inShell?: true;
  /** Aborted when the user interrupts. */
  signal: AbortSignal;
  /** Resolves with the reason when the connection ends by itself. */
  lost: Promise<Error>;
  /** Where the server is. */
  target: Target;
  /** What an interrupted command does before the connection is closed. */
  last?: Promise<void>;
}

/** A command that talks to a server. Throws a `Failure` where it can't do what it was asked. */
export type Run = (context: Context, words: readonly string[]) => Promise<void>;
