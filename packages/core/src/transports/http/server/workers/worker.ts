import { becomeWorker } from '../../../../runtime/worker-process.ts';
import { limits } from '../../../../limits.ts';
import { letEnd } from '../../../../runtime/timers.ts';
import { type Primary, primaryAt } from './primary-rpc.ts';
import { borrowStore } from './shared-store.ts';
import { openLine } from './ipc-channel.ts';
import type { Asked, Closing, StartFailure, Told, Welcome } from './messages.ts';
import { type Service, type SharedService, sharedMemory } from './shared-service.ts';

/** How long a worker may take for what its program does after the service was closed. */
const lastMs = limits.http.workerLastMs.value;

/** Serves as one of several processes, until the primary says that it is over. */
export async function serveAsWorker(shared: SharedService, number: number): Promise<Service> {
  const primary = primaryAt(openLine<Asked, Told>(process));
  let order: (closing: Closing) => void = () => {};
  const ordered = new Promise<Closing>((resolve) => {
    order = resolve;
  });
  const { asked } = primary.listen('join', [], (closing) => order(closing as Closing));
  const { secret, port } = (await asked) as Welcome;
  becomeWorker({ number, secret: Uint8Array.from(Buffer.from(secret, 'hex')) });
  // They reach all processes of a terminal or a service at once: the primary decides.
  process.on('SIGINT', () => {}).on('SIGTERM', () => {});

  const borrows = shared.store === undefined || sharedMemory(shared.store) !== undefined;
  const store = borrows ? borrowStore(primary) : undefined;
  const turn = async (): Promise<void> => void (await primary.ask('turn'));
  const service = await shared
    .serveHere({ turn, ...(port !== undefined && { port }), ...(store && { store }) })
    .catch((error: unknown) => tellFailure(primary, error));
  const end = async (): Promise<void> => {
    await service.close(await ordered);
    await store?.close();
    leave();
  };
  const ended = end();
  if (service.report !== undefined) tellReports(primary, service.report);
  await primary.ask('serve', [service.url]);
  return {
    url: service.url,
    worker: number,
    async close(closing = {}) {
      await primary.ask('stop', [closing]);
      await ended;
    },
  };
}

/** Tells the primary what is known of this worker, whenever it asks. */
function tellReports(primary: Primary, report: NonNullable<Service['report']>): void {
  const { asked } = primary.listen('reports', [], () => {
    void Promise.resolve(report()).then((told) => primary.ask('report', [told]));
  });
  // It lasts as long as the primary does.
  void asked;
}

/** The primary says it, once for all workers; this one has nothing more to do. */
async function tellFailure(primary: Primary, error: unknown): Promise<never> {
  const { message } = error instanceof Error ? error : new Error(String(error));
  // Its own members: `code`, `port` and their like. Not those of every error.
  const failure: StartFailure = { message, facts: Object.fromEntries(Object.entries(Object(error))) };
  await primary.ask('fail', [failure]);
  process.exit(1);
}

/** Lets the process end. What the program still has open does not keep it for long. */
function leave(): void {
  letEnd(setTimeout(() => process.exit(), lastMs));
  void import('node:cluster').then(({ default: { worker } }) => worker?.disconnect());
}
