/** The identity of a worker process. */
export interface WorkerProcess {
  /** 1, 2, 3, …; a worker that ends is replaced by one with the same number. */
  readonly number: number;
  /** A secret that all workers share, for servers without one. */
  readonly secret: Uint8Array;
}

/** Shared by all copies of this library in the process. */
const key = Symbol.for('ccmcp.worker');
const known = globalThis as { [key]?: WorkerProcess };

/** Marks this process as a worker. */
export function becomeWorker(worker: WorkerProcess): void {
  known[key] = worker;
}

/** The identity of this process as a worker; undefined for a single process. */
export function thisWorker(): WorkerProcess | undefined {
  return known[key];
}
