import type { Cluster, Worker } from 'node:cluster';
import { toHex } from '../../../../runtime/hex.ts';
import { letEnd, nextTurn } from '../../../../runtime/timers.ts';
import type { Engine } from '../../../../server/engine.ts';
import { memoryStore } from '../../../../stores/memory.ts';
import type { Store } from '../../../../stores/store.ts';
import { limits } from '../../../../limits.ts';
import { reportUnhandledErrors } from '../../../unhandled-errors.ts';
import type { Report } from '../admin/report.ts';
import { serveWorker, type Operations } from './primary-rpc.ts';
import { serveStore } from './shared-store.ts';
import { openIpcChannel } from './ipc-channel.ts';
import type { WorkerCall, Closing, StartFailure, PrimaryMessage, Welcome } from './messages.ts';
import { WorkerReports } from './worker-reports.ts';
import { RestartBackoff } from './restart-backoff.ts';
import { type Service, workerVariable } from './shared-service.ts';

/** What the first process needs to start the others. */
export interface PrimaryOptions {
  cluster: Cluster;
  count: number;
  engine: Engine;
  logsStrayErrors: boolean;
  /** The memory that they share, where the program gave one. */
  store: Store | undefined;
}

/** Starts the workers and keeps their number. Resolved when all of them serve. */
export async function startWorkers(options: PrimaryOptions): Promise<Service> {
  const { engine, count, logsStrayErrors } = options;
  const pool = new WorkerPool(options);
  const url = await pool.start();
  engine.log('info', `${count} workers serve ${url}`);
  const leaveProcess = logsStrayErrors ? reportUnhandledErrors(engine.reportError.bind(engine)) : () => {};
  return {
    url,
    report: () => pool.report(),
    async close(closing) {
      await pool.close(closing);
      leaveProcess();
    },
  };
}

/** A worker, as long as its process lives. */
interface WorkerEntry {
  worker: Worker;
  number: number;
  /** The port that it was told to listen at; undefined where it goes by its program. */
  port?: number | undefined;
  /** When it began to serve, by `performance.now()`. */
  since?: number;
  /** Tells it to end, once it can hear that. */
  order?(closing: Closing): void;
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
  /** Undefined once all have begun to serve, or one can't. */
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

  /** What is known of all workers together. */
  report(): Promise<Report> {
    return this.#reports.all({ closing: this.#closing !== undefined });
  }

  close(closing: Closing = {}): Promise<void> {
    this.#closing ??= this.#close(closing);
    return this.#closing;
  }

  async #close(closing: Closing): Promise<void> {
    for (const pause of this.#restartTimers) clearTimeout(pause);
    const { graceMs = limits.http.graceMs.value, lingerMs = limits.http.lastRequestsMs.value } = closing;
    const { lastWordsMs, lastAnswersMs, workerLastMs } = limits.http;
    const longestMs = graceMs + lingerMs + lastWordsMs.value + lastAnswersMs.value + 2 * workerLastMs.value;
    const gone = new Promise<void>((resolve) => {
      this.#ended = resolve;
    });
    for (const { worker, order } of this.#workers) {
      if (order === undefined) worker.process.kill('SIGKILL');
      else order(closing);
    }
    const cut = setTimeout(() => {
      for (const { worker } of this.#workers) worker.process.kill('SIGKILL');
    }, longestMs);
    if (this.#workers.size > 0) await gone;
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
    const storeService = serveStore(this.#store, (heard, message) => channel.send({ heard, message }));
    const operations = this.#operationsFor(member, (heard, message) => channel.send({ heard, message }));
    serveWorker(channel, { ...storeService.operations, ...operations });
    // Its channel may break while it ends.
    worker.on('error', () => {});
    worker.once('exit', (code: number | null, signal: string | null) => {
      closeLost();
      storeService.end();
      this.#workers.delete(member);
      this.#reports.remove(number);
      this.#replace(member, signal ?? `code ${code}`);
    });
  }

  #operationsFor(member: WorkerEntry, notify: (heard: number, message: unknown) => void): Operations {
    return {
      join: (id: number): Welcome => {
        const port = this.#portFor();
        member.port = port;
        member.order = (closing) => notify(id, closing);
        return { secret: this.#secret, ...(port !== undefined && { port }) };
      },
      serve: (_: number, url: string) => this.#onServing(member, url),
      fail: (_: number, { message, facts }: StartFailure) => void this.#fail(Object.assign(new Error(message), facts)),
      // What the system has taken by now is handed over in the first, and told of in the second.
      turn: async () => {
        await nextTurn();
        await nextTurn();
      },
      stop: (_: number, closing: Closing) => void this.close(closing),
      reports: (id: number) => this.#reports.add(member.number, () => notify(id, undefined)),
      report: (_: number, report: Report) => this.#reports.take(member.number, report),
    };
  }

  /**
   * Where one more listens: all that live must ask for the same, any free port included, since the cluster has one socket
   * for each that is asked for. Where none lives, that socket is gone, and clients still know its port.
   */
  #portFor(): number | undefined {
    const other = [...this.#workers].find(({ order }) => order !== undefined);
    return other === undefined ? this.#port : other.port;
  }

  #onServing(member: WorkerEntry, url: string): void {
    const port = Number(new URL(url).port) || 80;
    this.#port ??= port;
    // The last that had the socket ended while this one began: it is replaced by one that is told the port.
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
      void this.#fail(new Error(`${description}, as those before it did: none serves, so it is given up`));
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

  /** Ends everything: whoever waits for the start is told why, or else the process says so. */
  async #fail(error: Error): Promise<void> {
    if (this.#closing !== undefined) return;
    const started = this.#started;
    this.#started = undefined;
    await this.close({ graceMs: 0, lingerMs: 0 });
    if (started !== undefined) started.reject(error);
    else {
      this.#options.engine.reportError('Serving has ended', error);
      process.exitCode = 1;
      // What the program still has open must not keep a process that serves nothing: nobody would start it anew.
      letEnd(setTimeout(() => process.exit(), limits.http.workerLastMs.value));
    }
  }
}

interface Handle {
  close(): void;
}

/**
 * Gives a function that closes the connection which was being handed to a worker, for when that has ended. Node keeps it open
 * in the first process until the worker has said that it took it: its client would wait for ever.
 */
function trackHandedConnection({ process: child }: Worker): () => void {
  let last: Handle | undefined;
  const send = child.send.bind(child) as (...given: unknown[]) => boolean;
  child.send = (...given: unknown[]) => {
    const [message, handle] = given as [{ act?: string } | undefined, Handle | undefined];
    // One at a time. To close one that was taken does nothing: it is closed here already.
    if (message?.act === 'newconn') last = handle;
    return send(...given);
  };
  return () => last?.close();
}
