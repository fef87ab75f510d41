import type { Implementation } from '../protocol/identity.ts';
import type { LogLevel } from '../protocol/logging.ts';
import type { AnswerOptions } from './questions/answers.ts';
import type { ClientExtension } from './extension.ts';
import type { ClientObserver } from './observer.ts';

/** A log message of the server. */
export interface LogMessage {
  level: LogLevel;
  logger?: string;
  data: unknown;
}

/** Options of `connect`: how to connect, how to answer questions, and callbacks. */
export interface ConnectOptions extends AnswerOptions {
  /** The name and version that the client sends. */
  clientInfo?: Implementation;
  /** The extensions of this client. */
  extensions?: readonly ClientExtension[];
  /** Default: `auto`, which probes the server. */
  era?: 'auto' | 'handshake' | 'stateless';
  /** Pins the protocol version. Default: the newest that both sides support. */
  version?: string;
  /** Timeout of a request without an answer or progress, in milliseconds. Default: 60 000. */
  timeoutMs?: number;
  /** Timeout of a request in total, in milliseconds. Default: 600 000. */
  maxTimeoutMs?: number;
  /**
   * How often a tool call is retried after a lost connection, if that is safe: it has an idempotency key, or the listed
   * tool is read-only or idempotent. Default: 2.
   */
  retries?: number;
  /**
   * How long a server on a pipe may be silent before the client falls back to the handshake, in milliseconds. Default:
   * 5000.
   */
  probeMs?: number;
  /** The minimum level of log messages. Default: the server decides. */
  logLevel?: LogLevel;
  onLog?: (message: LogMessage) => void;
  /** Called when the user has finished what the page of an elicitation by URL was for. Handshake era only. */
  onElicitationComplete?: (elicitationId: string) => void;
  /** Called for problems that do not end the connection. Default: a process warning. */
  onWarning?: (text: string) => void;
  /** Called when the connection ends and the client did not close it. */
  onClose?: (reason: Error) => void;
  /** False: results are not validated against output schemas. */
  checkOutput?: boolean;
  /** False: responses are never cached, whatever the server says. */
  cache?: boolean;
  /** Called for every request sent and every question received: for metrics and traces. */
  observers?: readonly ClientObserver[];
  /** Aborts connecting. */
  signal?: AbortSignal;
}
