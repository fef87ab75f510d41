import { becomeWorker } from '../../../../runtime/worker-process.ts';
import { unref } from '../../../../runtime/timers.ts';
import { type PrimaryClient, createPrimaryClient } from './primary-rpc.ts';
import { createStoreClient } from './shared-store.ts';
import { openIpcChannel } from './ipc-channel.ts';
import type { WorkerCall, ShutdownOptions, StartFailure, PrimaryMessage, WorkerSettings } from './messages.ts';
import { type Service, type SharedService, sharedMemory } from './shared-service.ts';

/** How long the program of a worker may run after the service was closed. */
const lastMs = 1000;

/** Serves as one of several processes, until the primary shuts it down. */
export async function serveAsWorker(shared: SharedService, number: number): Promise<Service> {
  const primary = createPrimaryClient(openIpcChannel<WorkerCall, PrimaryMessage>(process));
  let order: (closing: ShutdownOptions) => void = () => {};
  const ordered = new Promise<ShutdownOptions>((resolve) => {
    order = resolve;
  });
  const { asked } = primary.subscribe('join', [], (closing) => order(closing as ShutdownOptions));
  const { secret, port } = (await asked) as WorkerSettings;
  becomeWorker({ number, secret: Uint8Array.from(Buffer.from(secret, 'hex')) });
  // Signals reach all processes of a terminal or service: the primary decides.
  process.on('SIGINT', () => {}).on('SIGTERM', () => {});

  const borrows = shared.store === undefined || sharedMemory(shared.store) !== undefined;
  const store = borrows ? createStoreClient(primary) : undefined;
  const turn = async (): Promise<void> => void (await primary.call('turn'));
  const service = await shared
    .serveHere({ turn, ...(port !== undefined && { port }), ...(store && { store }) })
    .catch((error: unknown) => reportFailure(primary, error));
  const end = async (): Promise<void> => {
    await service.close(await ordered);
    await store?.close();
    exit();
  };
  const ended = end();
  if (service.report !== undefined) sendReports(primary, service.report);
  await primary.call('serve', [service.url]);
  return {
    url: service.url,
    worker: number,
    async close(closing = {}) {
      await primary.call('stop', [closing]);
      await ended;
    },
  };
}

/** Sends the worker's report whenever the primary asks. */
function sendReports(primary: PrimaryClient, report: NonNullable<Service['report']>): void {
  const { asked } = primary.subscribe('reports', [], () => {
    void Promise.resolve(report()).then((result) => primary.call('report', [result]));
  });
  // The subscription lasts as long as the primary.
  void asked;
}

/** The primary reports the failure once for all workers; this one exits. */
async function reportFailure(primary: PrimaryClient, error: unknown): Promise<never> {
  const { message } = error instanceof Error ? error : new Error(String(error));
  // Own members such as `code` and `port`, not those of every error.
  const failure: StartFailure = { message, facts: Object.fromEntries(Object.entries(Object(error))) };
  await primary.call('fail', [failure]);
  process.exit(1);
}

/** Lets the process exit. What the program still has open delays that only briefly. */
function exit(): void {
  unref(setTimeout(() => process.exit(), lastMs));
  void import('node:cluster').then(({ default: { worker } }) => worker?.disconnect());
}
