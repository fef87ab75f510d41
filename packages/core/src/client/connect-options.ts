import type { Implementation } from '../protocol/identity.ts';
import type { LogLevel } from '../protocol/logging.ts';
import type { AnswerOptions } from './questions/answers.ts';
import type { ClientExtension } from './extension.ts';
import type { ClientObserver } from './observer.ts';

/** A message of the server's log. */
export interface LogMessage {
  level: LogLevel;
  logger?: string;
  data: unknown;
}

/** How a client connects, what it answers, and what it hears. */
export interface ConnectOptions extends AnswerOptions {
  /** Who the client says it is. */
  clientInfo?: Implementation;
  /** The extensions that this client has. */
  extensions?: readonly ClientExtension[];
  /** Default: `auto`, which finds out. */
  era?: 'auto' | 'handshake' | 'stateless';
  /** The one version to be spoken. Default: the newest that both sides know. */
  version?: string;
  /** How long a request may be without an answer or progress, in milliseconds. Default: 60 000. */
  timeoutMs?: number;
  /** How long a request may take in all. Default: 600 000. */
  maxTimeoutMs?: number;
  /**
   * How often a call of a tool is made again whose connection was lost, where that can do no harm: it has an idempotency
   * key, or the listed tool says that it only reads, or may be repeated. Default: 2.
   */
  retries?: number;
  /** How long a server on a pipe may be silent before it is taken for one that wants a handshake. Default: 5000. */
  probeMs?: number;
  /** The log messages that are wanted. Default: what the server sends by itself. */
  logLevel?: LogLevel;
  onLog?: (message: LogMessage) => void;
  /** Told of what is odd but not the end. Default: a warning of the process. */
  onWarning?: (text: string) => void;
  /** Told when the connection ends without this side wanting it. */
  onClose?: (reason: Error) => void;
  /** False: results are not checked against the output schemas of the tools. */
  checkOutput?: boolean;
  /** False: answers are never kept, whatever the server says. */
  cache?: boolean;
  /** Watch every request that is sent, and every question of the server: for metrics and traces. */
  observers?: readonly ClientObserver[];
  /** Gives up on connecting. */
  signal?: AbortSignal;
}
