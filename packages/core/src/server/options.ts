import type { Implementation } from '../protocol/identity.ts';
import type { LogLevel } from '../protocol/logging.ts';
import type { CacheHints } from '../protocol/results.ts';
import type { Prompt, Resource, Template, Tool } from './define/define.ts';
import type { ServerExtension } from './extension.ts';
import type { ListSource } from './lists/list-source.ts';
import type { Logger } from './log/log.ts';

/**
 * Capabilities that can be disabled: `false` is not declared to clients, not served and not sent. Default: all `true`.
 */
export interface DeclaredCapabilities {
  /** Log messages to clients, and `logging/setLevel`. */
  logging?: boolean;
  /** Notifications that a list of tools, resources or prompts changed. */
  listChanged?: boolean;
  /** Notifications that a resource changed, to clients that subscribed to it. */
  subscribe?: boolean;
  /** Completion, also while nothing is registered that has any. Default: only then. */
  completions?: boolean;
}

/** The options of a server that the kernel reads. */
export interface EngineOptions extends Implementation {
  tools?: readonly Tool[];
  resources?: readonly Resource[];
  templates?: readonly Template[];
  prompts?: readonly Prompt[];
  /** How the server is best used, for the host to hand to its model; a function where that may change. */
  instructions?: string | (() => string | undefined);
  /** The response to invalid arguments: a result that the model can read (default), or a JSON-RPC error. */
  invalidArguments?: 'tool-result' | 'protocol-error';
  /** The response to an unexpected exception of a handler: the same choice. */
  exceptions?: 'tool-result' | 'protocol-error';
  /** Reject every handshake with a version that this server does not know, instead of offering the newest. */
  strictVersions?: boolean;
  /** Answer every handshake with a version, also one that names none or something that is no date. Default: reject those. */
  anyVersion?: boolean;
  /** Log a warning where a client sends something else between `initialize` and `notifications/initialized`. */
  warnUninitialized?: boolean;
  /** Disables default capabilities. Default: all enabled. */
  capabilities?: DeclaredCapabilities;
  /** How many rows a page of a list has. Default: 10 000. */
  pageSize?: number;
  /** How long answers may be kept. Default: not at all. */
  cache?: CacheHints;
  /** The log level of handshake clients until they choose one. Default: `info`. */
  logLevel?: LogLevel;
  /**
   * Logs every message that is rejected before middleware as an `error`: parse errors, unknown methods, requests before
   * the handshake. Clients are notified where the transport can. Default: false.
   */
  logRejections?: boolean;
  /** This side's own log. Default: warnings and worse, as JSON lines on stderr. */
  logger?: Logger;
  /** How many requests of one connection may be served at a time. Default: 1024. */
  maxRunning?: number;
  /**
   * At least 32 bytes that sign the state of suspended calls; give the same to all instances. Of several, the first signs
   * and all are accepted. Default: random, or what instances agree on in the store that they share.
   */
  stateSecret?: Uint8Array | readonly Uint8Array[];
  /** How long a suspended call can be resumed. Default: 10 minutes. */
  stateLifetimeMs?: number;
  /** How long a handler waits for the answer of a client that is asked on the spot. Default: 10 minutes. */
  questionTimeoutMs?: number;
  /** How long a handler may work on one request; `Infinity`: for ever. A tool may have its own. Default: 5 minutes. */
  handlerTimeoutMs?: number;
  /** How many characters a result may have as JSON; `Infinity`: any number. Default: 16 Mi. */
  maxResult?: number;
  /** Fills the lists from elsewhere when they are first requested. Default: registered entries only. */
  listSource?: ListSource;
  /** Extensions of the protocol that the server has: the official ones, or an author's own. */
  extensions?: readonly ServerExtension[];
}

/** The instructions as they are now. */
export function instructionsOf({ options: { instructions } }: { options: EngineOptions }): string | undefined {
  return typeof instructions === 'function' ? instructions() : instructions;
}
