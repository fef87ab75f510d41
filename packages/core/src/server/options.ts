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
  /** Completion, also if no entry supports it yet. Default: if one does. */
  completions?: boolean;
}

/** The options of a server that the kernel reads. */
export interface EngineOptions extends Implementation {
  tools?: readonly Tool[];
  resources?: readonly Resource[];
  templates?: readonly Template[];
  prompts?: readonly Prompt[];
  /** Instructions for the host's model; a function if they may change. */
  instructions?: string | (() => string | undefined);
  /** The response to invalid arguments: a result that the model can read (default), or a JSON-RPC error. */
  invalidArguments?: 'tool-result' | 'protocol-error';
  /** The response to an unexpected exception of a handler: the same choice. */
  exceptions?: 'tool-result' | 'protocol-error';
  /** Reject handshakes with an unknown version, instead of offering the newest. */
  strictVersions?: boolean;
  /** Accept handshakes without a version, or with one that is no date. Default: reject those. */
  anyVersion?: boolean;
  /** Log a warning if a client sends anything else between `initialize` and `notifications/initialized`. */
  warnUninitialized?: boolean;
  /** Disables default capabilities. Default: all enabled. */
  capabilities?: DeclaredCapabilities;
  /** Entries per page of a list. Default: 10 000. */
  pageSize?: number;
  /** Cache hints of results. Default: not cacheable. */
  cache?: CacheHints;
  /** The log level of handshake clients until they choose one. Default: `info`. */
  logLevel?: LogLevel;
  /**
   * Logs every message that is rejected before middleware as an `error`: parse errors, unknown methods, requests before
   * the handshake. Clients are notified where the transport can. Default: false.
   */
  logRejections?: boolean;
  /** The server's log. Default: warnings and errors, as JSON lines on stderr. */
  logger?: Logger;
  /** Maximum running requests per connection. Default: 1024. */
  maxRunning?: number;
  /**
   * At least 32 bytes that sign the state of suspended calls; the same on all instances. With several, the first signs
   * and all are accepted. Default: random, or agreed on in the shared store.
   */
  stateSecret?: Uint8Array | readonly Uint8Array[];
  /** How long a suspended call can be resumed. Default: 10 minutes. */
  stateLifetimeMs?: number;
  /** Timeout of a question that is sent as a request. Default: 10 minutes. */
  questionTimeoutMs?: number;
  /** Timeout of a handler; `Infinity`: none. A tool may have its own. Default: 5 minutes. */
  handlerTimeoutMs?: number;
  /** Maximum characters of a result as JSON; `Infinity`: any number. Default: 16 Mi. */
  maxResult?: number;
  /** Fills the lists from elsewhere when they are first requested. Default: registered entries only. */
  listSource?: ListSource;
  /** Extensions of the protocol that the server has: the official ones, or an author's own. */
  extensions?: readonly ServerExtension[];
}

/** The current instructions. */
export function instructionsOf({ options: { instructions } }: { options: EngineOptions }): string | undefined {
  return typeof instructions === 'function' ? instructions() : instructions;
}
