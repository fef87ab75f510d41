/** What a process knows that serves together with others, as one of several workers. */
export interface WorkerProcess {
  /** 1, 2, 3, …: one that ends is replaced by one with the same. */
  readonly number: number;
  /** Signs what any of them must understand, where the server has no secret of its own. */
  readonly secret: Uint8Array;
}

/** The same in every copy of this library that the process has. */
const key = Symbol.for('ccmcp.worker');
const known = globalThis as { [key]?: WorkerProcess };

/** Says that this process is a worker. */
export function becomeWorker(worker: WorkerProcess): void {
  known[key] = worker;
}

/** What is known of this process as a worker; undefined where it serves alone. */
export function thisWorker(): WorkerProcess | undefined {
  return known[key];
}
