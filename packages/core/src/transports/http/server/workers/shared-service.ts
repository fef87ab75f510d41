import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import type { Engine } from '../../../../server/engine.ts';
import { isMemoryStore } from '../../../../stores/memory.ts';
import type { Store } from '../../../../stores/store.ts';
import type { Report } from '../admin/report.ts';
import type { Closing } from './messages.ts';

/** How many processes serve: a number, or as many as the machine has cores. */
export type WorkerCount = number | 'auto';

/** A service, as whoever started it has it. */
export interface Service {
  readonly url: string;
  readonly worker?: number;
  /** Tells what is known of it, where somebody may ask. */
  report?(): Awaitable<Report>;
  close(options?: Closing): Promise<void>;
}

/** What a worker serves with, beside what the program says. */
export interface WorkerContext {
  /** Where the others listen already. */
  port?: number;
  store?: Store;
  /** Lets connections come in that wait to be taken. */
  turn?: () => Promise<void>;
}

/** What is served by several processes. */
export interface SharedService {
  workers: WorkerCount;
  engine: Engine;
  /** The store that the program gave. */
  store: Store | undefined;
  /** Whether errors that nobody caught are logged, and end nothing. */
  logsStrayErrors: boolean;
  /** Serves in this process alone. */
  serveHere(terms: WorkerContext): Promise<Service>;
}

/** The variable by which a process knows that the primary started it to serve. */
export const workerVariable = 'CCMCP_WORKER';

/** The memory store of the first process is lent to the others; any other store is one that each reaches by itself. */
export function sharedMemory(store: Store | undefined): Store | undefined {
  return store !== undefined && isMemoryStore(store) ? store : undefined;
}
