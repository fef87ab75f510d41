import { hasNode } from '../../../../runtime/kind.ts';
import { type Service, type SharedService, sharedMemory, type WorkerCount, workerVariable } from './shared-service.ts';

const started = Symbol.for('ccmcp.workers');

/** Serves with several processes: the first one starts and supervises the others, which serve. */
export async function serveWithWorkers(service: SharedService): Promise<Service> {
  const count = await resolveWorkerCount(service.workers);
  const { default: cluster } = await import('node:cluster');
  const number = Number(process.env[workerVariable]);
  const isOurs = cluster.isWorker && Number.isInteger(number);
  if (count === 1 && !isOurs) return service.serveHere({});
  await assertSupported({ isForeign: cluster.isWorker && !isOurs });
  if (isOurs) {
    // A child process of this one is no worker.
    Reflect.deleteProperty(process.env, workerVariable);
    const { serveAsWorker } = await import('./worker.ts');
    return serveAsWorker(service, number);
  }
  const { startWorkers } = await import('./primary.ts');
  const { engine, logsUnhandledErrors } = service;
  return startWorkers({ cluster, count, engine, logsUnhandledErrors, store: sharedMemory(service.store) });
}

async function resolveWorkerCount(workers: WorkerCount): Promise<number> {
  if (!hasNode || 'Bun' in globalThis || 'Deno' in globalThis) {
    throw new Error('"workers" needs Node: here, start several processes that share a store, or leave it out');
  }
  if (workers === 'auto') return (await import('node:os')).availableParallelism();
  if (!Number.isInteger(workers) || workers < 1) {
    throw new TypeError(`"workers" must be a number of processes, 1 or more, or "auto": ${String(workers)}`);
  }
  return workers;
}

async function assertSupported({ isForeign }: { isForeign: boolean }): Promise<void> {
  const marks = process as { [started]?: boolean };
  if (marks[started]) {
    throw new Error('A program can be served by workers once: leave "workers" out of the second serveHttp');
  }
  const { isMainThread } = await import('node:worker_threads');
  if (!isMainThread) throw new Error('"workers" can not be used in a thread: serve from the main one, or leave it out');
  if (isForeign) {
    throw new Error('This process is one of several already, in a foreign cluster: leave "workers" out');
  }
  if (process.argv[1] === undefined) {
    throw new Error('"workers" starts the program again for each worker, so it must be a file: node FILE');
  }
  marks[started] = true;
}
