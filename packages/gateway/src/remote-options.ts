import type { ServerExtension } from '@ccmcp/core';
import type { ConnectOptions, HttpClientOptions, Serving, SpawnOptions, Transport } from '@ccmcp/core/client';
import type { BackoffOptions } from './upstream/circuit-breaker.ts';
import type { NameOptions } from './lists/names.ts';
import type { CallerCredentials } from './credentials/caller-credentials.ts';
import type { ToolOverrideOptions } from './lists/tool-overrides.ts';
import type { UriOptions } from './lists/uris.ts';

/** Where an upstream is: a command to run, a URL, a server of this process, or a transport of your own. */
export type RemoteTarget =
  | ({ command: string; args?: readonly string[] } & Omit<SpawnOptions, 'name' | 'tap'>)
  | ({ url: string | URL; transport?: 'http' | 'sse' } & HttpClientOptions)
  | { server: Serving }
  | { connect: () => Transport };

/** An upstream, how to reach and show it, and its limits. */
export interface RemoteOptions extends NameOptions, UriOptions, ToolOverrideOptions {
  /** The name of the upstream: in errors, in the status, and as the default prefix. */
  name: string;
  target: RemoteTarget;
  /**
   * Separate credentials per caller, for a target with a URL: each authenticated caller has their own connections and
   * lists, and others get nothing. Default: all callers share those of the target.
   */
  credentials?: CallerCredentials;
  /** The maximum number of callers with their own credentials; the least recently used are evicted. Default: 1000. */
  maxCallers?: number;
  /** The timeout of a sign-in during a call, in milliseconds. Default: 45 000. */
  signInWaitMs?: number;
  /** The identity of the gateway, and its revision. Default: the newest that the upstream supports. */
  client?: Pick<ConnectOptions, 'clientInfo' | 'era' | 'version' | 'probeMs' | 'observers' | 'logLevel'>;
  /**
   * The approved definitions of the upstream: one target of a lock. What differs is held back, and reported once. Default:
   * nothing is held back.
   */
  lock?: ConnectOptions['lock'];
  /**
   * Offers all of the upstream as one group to clients with the draft extension `io.modelcontextprotocol/groups`; others get the
   * lists as ever. Experimental. Default: no group.
   */
  group?: true | RemoteGroup;
  /** Instructions for the model. Default: those of the upstream, once it was started. */
  instructions?: string;
  /** The tasks extension for clients, with its limits. Default: that of another part, or `tasks()`. */
  tasks?: ServerExtension;
  /** How long a request may take without an answer or progress, in milliseconds. Default: 60 000. */
  timeoutMs?: number;
  /** How long a request may take in total, questions included. Default: 1 hour. */
  maxTimeoutMs?: number;
  /** How long a list request waits for an upstream that was never listed. Default: 5000. */
  listWaitMs?: number;
  /** How long a call waits for the answer of a stateless client. Default: 10 minutes. */
  answerMs?: number;
  /** The maximum number of such waiting calls. Default: 1000. */
  maxSuspended?: number;
  /** Closes the connection to an upstream that was idle for this long; `Infinity`: never. Default: 5 minutes. */
  idleMs?: number;
  /** The maximum number of connections: a handshake server that asks needs one per concurrent caller. Default: 8. */
  maxConnections?: number;
  /** The delays between attempts to connect. */
  backoff?: BackoffOptions;
}

/** The group of an upstream. */
export interface RemoteGroup {
  /** 1 to 64 of a-z and 0-9, with single hyphens between. Default: the name of the upstream, as far as it can be used. */
  name?: string;
  title?: string;
  /** What it is for and when a model needs it. */
  description?: string;
}

/** The status of an upstream. */
export interface RemoteStatus {
  readonly name: string;
  /** `idle`: not started yet, or closed when idle. `down`: lost, with a reconnect pending. */
  readonly state: 'idle' | 'starting' | 'up' | 'down';
  readonly protocolVersion: string | undefined;
  /** The number of tools shown to clients. */
  readonly tools: number;
  readonly connections: number;
  readonly activeCalls: number;
  readonly suspendedCalls: number;
  /** The median of the latest requests, in milliseconds; undefined before the first. */
  readonly latencyMs: number | undefined;
  readonly restarts: number;
  readonly lastError: string | undefined;
  /** True while the lists date from before the upstream was lost. */
  readonly stale: boolean;
  /** Errors in the options: names that the upstream does not have. */
  readonly warnings: readonly string[];
  /** The number of callers with their own connections and lists. Absent: all share them. */
  readonly callers?: number;
}
