import type { Client } from '@ccmcp/core/client';
import type { TypedTarget } from './arguments/example-call.ts';
import type { DataSource } from './arguments/data-source.ts';
import type { Command } from '../command/command.ts';
import type { ClientOptionName, ClientOptions, ParsedWords } from './options.ts';
import type { Output } from '../terminal/output.ts';
import type { ServerStderr } from './connection/server-stderr.ts';
import type { Target } from './connection/target.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The context of a command: an open client, and the output. */
export interface Context {
  client: Client;
  options: ClientOptions;
  output: Output;
  terminal: Terminal;
  /** The target as typed. */
  typed: TypedTarget;
  /** The stderr of the server, if the command started it. */
  stderr: ServerStderr;
  /** Reads files and stdin for arguments. */
  data: DataSource;
  /** Other commands write to the same output before and after this one. */
  inShell?: true;
  /** Aborted when the user interrupts. */
  signal: AbortSignal;
  /** Resolves with the reason when the connection is lost. */
  lost: Promise<Error>;
  /** Where the server is. */
  target: Target;
  /** The commands that run on an open connection. */
  commands: readonly SessionCommand[];
  /** The cleanup of an interrupted command, before the connection closes. */
  last?: Promise<void>;
}

/** Runs a command on a server. Throws a `Failure` if it fails. */
export type Run = (context: Context, words: readonly string[]) => Promise<void>;

/** A command that talks to a server: `list`, `call` and so on. */
export interface ClientCommand extends Command {
  /** Its description in its help and in that of the shell. */
  readonly description: string;
  /** The options that are not common to all client commands. */
  readonly ownOptions: readonly ClientOptionName[];
  /** The id of a task may begin with a dash. */
  readonly takesTaskId: boolean;
  /** Loads the code that runs on an open connection. Such commands work in the shell too. */
  loadSession?(): Promise<{ run: Run }>;
  /** Runs on a target, and connects on its own. */
  runOnTarget?(call: TargetCall): Promise<number>;
  /** Runs before a target is resolved; undefined if one is needed. */
  runWithoutTarget?(call: CommandCall): Promise<number> | undefined;
}

/** A parsed command line, and its output. */
export interface CommandCall {
  readonly words: ParsedWords;
  readonly output: Output;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
}

/** The same with the target that it names. */
export interface TargetCall {
  readonly target: Target;
  readonly options: ClientOptions;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** A client command that runs on an open connection, in the shell too. */
export type SessionCommand = ClientCommand & Required<Pick<ClientCommand, 'loadSession'>>;

/** The commands of the shell: all that run on an open connection, except the shell itself. */
export function sessionCommands(commands: readonly Command[]): SessionCommand[] {
  return commands.filter((command): command is SessionCommand => 'loadSession' in command && command.name !== 'shell');
}
