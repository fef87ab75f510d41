import type { Cluster, Worker } from 'node:cluster';
import { toHex } from '../../../../runtime/base64.ts';
import { unref, nextTurn } from '../../../../runtime/timers.ts';
import type { Engine } from '../../../../server/engine.ts';
import { memoryStore } from '../../../../stores/memory.ts';
import type { Store } from '../../../../stores/store.ts';
import { limits } from '../../../../limits.ts';
import { reportUnhandledErrors } from '../../../unhandled-errors.ts';
import type { Report } from '../admin/report.ts';
import { serveWorker, type Operations } from './primary-rpc.ts';
import { serveStore } from './shared-store.ts';
import { openIpcChannel } from './ipc-channel.ts';
import type { WorkerCall, ShutdownOptions, StartFailure, PrimaryMessage, WorkerSettings } from './messages.ts';
import { WorkerReports } from './worker-reports.ts';
import { type Service, workerVariable } from './shared-service.ts';

/** Time beyond the grace periods in which a worker fails what is left and flushes its responses. */
const closeMs = 1500;
/** Time for what a worker still does when its service is closed. */
const workerLastMs = 1000;

/** Options of the primary process. */
export interface PrimaryOptions {
  cluster: Cluster;
  count: number;
  engine: Engine;
  logsUnhandledErrors: boolean;
  /** The shared memory store, if the program passed one. */
  store: Store | undefined;
}

/** Starts the workers and restarts those that exit. Resolves when all of them serve. */
export async function startWorkers(options: PrimaryOptions): Promise<Service> {
  const { engine, count, logsUnhandledErrors } = options;
  const pool = new WorkerPool(options);
  const url = await pool.start();
  engine.log('info', `${count} workers serve ${url}`);
  const stopReporting = logsUnhandledErrors ? reportUnhandledErrors(engine.reportError.bind(engine)) : () => {};
  return {
    url,
    report: () => pool.report(),
    async close(closing) {
      await pool.close(closing);
      stopReporting();
    },
  };
}

/** A worker while its process lives. */
interface WorkerEntry {
  worker: Worker;
  number: number;
  /** The port that it was assigned; undefined if its program decides. */
  port?: number | undefined;
  /** When it started to serve, by `performance.now()`. */
  since?: number;
  /** Asks it to shut down, once it is connected. */
  order?(closing: ShutdownOptions): void;
}

class WorkerPool {
  readonly #options: PrimaryOptions;
  readonly #store: Store;
  readonly #secret = toHex(crypto.getRandomValues(new Uint8Array(32)));
  readonly #workers = new Set<WorkerEntry>();
  readonly #restarts = new RestartBackoff();
  readonly #reports = new WorkerReports();
  readonly #restartTimers = new Set<NodeJS.Timeout>();
  #port: number | undefined;
  #closing: Promise<void> | undefined;
  /** Undefined once all workers serve, or one failed to start. */
  #started: { resolve(url: string): void; reject(error: Error): void } | undefined;
  #ended: () => void = () => {};

  constructor(options: PrimaryOptions) {
    this.#options = options;
    this.#store = options.store ?? memoryStore();
  }

  start(): Promise<string> {
    const { count } = this.#options;
    return new Promise((resolve, reject) => {
      this.#started = { resolve, reject };
      for (let number = 1; number <= count; number++) this.#fork(number);
    });
  }

  /** The combined report of all workers. */
  report(): Promise<Report> {
    return this.#reports.all({ closing: this.#closing !== undefined });
  }

  close(closing: ShutdownOptions = {}): Promise<void> {
    this.#closing ??= this.#close(closing);
    return this.#closing;
  }

  async #close(closing: ShutdownOptions): Promise<void> {
    for (const pause of this.#restartTimers) clearTimeout(pause);
    const { graceMs = limits.http.graceMs.value, lingerMs = limits.http.lastRequestsMs.value } = closing;
    const longestMs = graceMs + lingerMs + closeMs + 2 * workerLastMs;
    const allExited = new Promise<void>((resolve) => {
      this.#ended = resolve;
    });
    for (const { worker, order } of this.#workers) {
      if (order === undefined) worker.process.kill('SIGKILL');
      else order(closing);
    }
    const cut = setTimeout(() => {
      for (const { worker } of this.#workers) worker.process.kill('SIGKILL');
    }, longestMs);
    if (this.#workers.size > 0) await allExited;
    clearTimeout(cut);
    this.#reports.stop();
    if (this.#options.store === undefined) await this.#store.close();
    this.#started?.reject(new Error('The service was closed before all workers served'));
  }

  #fork(number: number): void {
    const worker = this.#options.cluster.fork({ [workerVariable]: String(number) });
    const member: WorkerEntry = { worker, number };
    this.#workers.add(member);
    const closeLost = trackHandedConnection(worker);
    const channel = openIpcChannel<PrimaryMessage, WorkerCall>(worker);
    const storeService = serveStore(this.#store, (listenerId, message) => channel.send({ listenerId, message }));
    const operations = this.#operationsFor(member, (listenerId, message) => channel.send({ listenerId, message }));
    serveWorker(channel, { ...storeService.operations, ...operations });
    // Its channel may break while it exits.
    worker.on('error', () => {});
    worker.once('exit', (code: number | null, signal: string | null) => {
      closeLost();
      storeService.end();
      this.#workers.delete(member);
      this.#reports.remove(number);
      this.#replace(member, signal ?? `code ${code}`);
    });
  }

  #operationsFor(member: WorkerEntry, notify: (listenerId: number, message: unknown) => void): Operations {
    return {
      join: (id: number): WorkerSettings => {
        const port = this.#portFor();
        member.port = port;
        member.order = (closing) => notify(id, closing);
        return { secret: this.#secret, ...(port !== undefined && { port }) };
      },
      serve: (_: number, url: string) => this.#onServing(member, url),
      fail: (_: number, { message, facts }: StartFailure) => void this.#fail(Object.assign(new Error(message), facts)),
      // Accepted connections are handed over in the first tick and announced in the second.
      turn: async () => {
        await nextTurn();
        await nextTurn();
      },
      stop: (_: number, closing: ShutdownOptions) => void this.close(closing),
      reports: (id: number) => this.#reports.add(member.number, () => notify(id, undefined)),
      report: (_: number, report: Report) => this.#reports.take(member.number, report),
    };
  }

  /**
   * The port for another worker: all live workers must ask for the same one, even if it is any free port, since the
   * cluster has one socket per requested port. Without live workers that socket is closed, but clients still know its
   * port.
   */
  #portFor(): number | undefined {
    const other = [...this.#workers].find(({ order }) => order !== undefined);
    return other === undefined ? this.#port : other.port;
  }

  #onServing(member: WorkerEntry, url: string): void {
    const port = Number(new URL(url).port) || 80;
    this.#port ??= port;
    // The last worker with the socket exited while this one started: its replacement gets the port.
    if (port !== this.#port) return void member.worker.process.kill('SIGKILL');
    member.since = performance.now();
    if (this.#serving() < this.#options.count) return;
    this.#started?.resolve(url);
    this.#started = undefined;
  }

  #serving(): number {
    return [...this.#workers].filter(({ since }) => since !== undefined).length;
  }

  #replace({ number, worker, since }: WorkerEntry, how: string): void {
    if (this.#closing !== undefined) {
      if (this.#workers.size === 0) this.#ended();
      return;
    }
    const servedMs = since === undefined ? undefined : performance.now() - since;
    const pause = this.#restarts.delayAfter({ servedMs, others: this.#serving() });
    const description = `Worker ${number} (process ${worker.process.pid}) ended with ${how}`;
    if (pause === undefined) {
      void this.#fail(new Error(`${description}, like those before it: no worker serves, giving up`));
      return;
    }
    this.#options.engine.log(
      'warning',
      `${description}${since === undefined ? ' before it served' : ''}; it is replaced`,
    );
    const timer = setTimeout(() => {
      this.#restartTimers.delete(timer);
      this.#fork(number);
    }, pause);
    this.#restartTimers.add(timer);
  }

  /** Shuts everything down: rejects the start, or reports the error and exits. */
  async #fail(error: Error): Promise<void> {
    if (this.#closing !== undefined) return;
    const started = this.#started;
    this.#started = undefined;
    await this.close({ graceMs: 0, lingerMs: 0 });
    if (started !== undefined) started.reject(error);
    else {
      this.#options.engine.reportError('The service has stopped', error);
      process.exitCode = 1;
      // A process that serves nothing must exit, so that it is restarted, even if the program has something open.
      unref(setTimeout(() => process.exit(), workerLastMs));
    }
  }
}

interface Handle {
  close(): void;
}

/**
 * Returns a function that closes the connection being handed to a worker that has exited. Node keeps it open in the
 * primary until the worker confirms it, so its client would hang.
 */
function trackHandedConnection({ process: child }: Worker): () => void {
  let last: Handle | undefined;
  const send = child.send.bind(child) as (...given: unknown[]) => boolean;
  child.send = (...given: unknown[]) => {
    const [message, handle] = given as [{ act?: string } | undefined, Handle | undefined];
    // One at a time. Closing one that was confirmed does nothing: it is closed here already.
    if (message?.act === 'newconn') last = handle;
    return send(...given);
  };
  return () => last?.close();
}

/** How many workers may fail in a row; if none serves then, the service gives up. */
const maxFailures = 5;
/** A worker that served this long did not fail at its start. */
const settledMs = 1000;
/** Longest pause before a worker is replaced. */
const longestPauseMs = 5 * 1000;
const firstPauseMs = 100;

/** A worker that exited. */
export interface WorkerExit {
  /** How long it served; undefined if it never did. */
  servedMs: number | undefined;
  /** How many other workers serve. */
  others: number;
}

/** Backoff for restarting workers, so that one that can't start does not spin. */
export class RestartBackoff {
  #failures = 0;

  /** The delay before the restart, in milliseconds; undefined if the service should give up. */
  delayAfter({ servedMs, others }: WorkerExit): number | undefined {
    if (servedMs !== undefined && servedMs >= settledMs) this.#failures = 0;
    else this.#failures += 1;
    if (this.#failures === 0) return 0;
    if (this.#failures >= maxFailures && others === 0) return undefined;
    return Math.min(firstPauseMs * 2 ** (this.#failures - 1), longestPauseMs);
  }
}
