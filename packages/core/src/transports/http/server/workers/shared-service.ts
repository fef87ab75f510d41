import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import type { Engine } from '../../../../server/engine.ts';
import { isMemoryStore } from '../../../../stores/memory.ts';
import type { Store } from '../../../../stores/store.ts';
import type { Report } from '../admin/report.ts';
import type { ShutdownOptions } from './messages.ts';

/** How many processes serve: a number, or one per core. */
export type WorkerCount = number | 'auto';

/** A running service. */
export interface Service {
  readonly url: string;
  readonly worker?: number;
  /** Its report, if reports are enabled. */
  report?(): Awaitable<Report>;
  close(options?: ShutdownOptions): Promise<void>;
}

/** The options of a worker, in addition to those of the program. */
export interface WorkerContext {
  /** The port of the other workers. */
  port?: number;
  store?: Store;
  /** Waits until pending connections were accepted. */
  turn?: () => Promise<void>;
}

/** A service of several processes. */
export interface SharedService {
  workers: WorkerCount;
  engine: Engine;
  /** The program's store. */
  store: Store | undefined;
  /** Whether unhandled errors are logged instead of ending the process. */
  logsUnhandledErrors: boolean;
  /** Serves in this process only. */
  serveHere(terms: WorkerContext): Promise<Service>;
}

/** The environment variable that marks a worker process. */
export const workerVariable = 'CCMCP_WORKER';

/** A memory store of the primary is shared with the workers; they connect to any other store by themselves. */
export function sharedMemory(store: Store | undefined): Store | undefined {
  return store !== undefined && isMemoryStore(store) ? store : undefined;
}
