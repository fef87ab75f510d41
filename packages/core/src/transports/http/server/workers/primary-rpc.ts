import type { IpcChannel } from './ipc-channel.ts';
import type { WorkerCall, PrimaryMessage } from './messages.ts';

/** The primary, as a worker calls it. */
export interface PrimaryClient {
  /** Calls an operation of the primary. */
  call(operation: string, given?: readonly unknown[]): Promise<unknown>;
  /** Calls an operation, and receives its events until `leave`. */
  subscribe(
    operation: string,
    given: readonly unknown[],
    listener: (message: unknown) => void,
  ): { id: number; asked: Promise<unknown>; leave(): void };
}

interface PendingCall {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Creates the client of a channel to the primary. */
export function createPrimaryClient(channel: IpcChannel<WorkerCall, PrimaryMessage>): PrimaryClient {
  const pendingCalls = new Map<number, PendingCall>();
  const listeners = new Map<number, (message: unknown) => void>();
  let lastId = 0;
  const ask = (operation: string, given: readonly unknown[] = []): Promise<unknown> => {
    const id = ++lastId;
    channel.send({ id, operation, given });
    return new Promise((resolve, reject) => void pendingCalls.set(id, { resolve, reject }));
  };
  channel.onMessage((message) => {
    if ('listenerId' in message) {
      listeners.get(message.listenerId)?.(message.message);
      return;
    }
    const pending = pendingCalls.get(message.id);
    pendingCalls.delete(message.id);
    if (message.error === undefined) pending?.resolve(message.result);
    else pending?.reject(new Error(message.error));
  });
  return {
    call: ask,
    subscribe(operation, given, listener) {
      const asked = ask(operation, given);
      const id = lastId;
      listeners.set(id, listener);
      return { id, asked, leave: () => void listeners.delete(id) };
    },
  };
}

/** The operations of the primary for a worker, by name. `id` identifies the call. */
export type Operations = Record<string, (id: number, ...given: never[]) => unknown>;

/** Serves the calls of a worker. */
export function serveWorker(channel: IpcChannel<PrimaryMessage, WorkerCall>, operations: Operations): void {
  channel.onMessage(({ id, operation, given }) => {
    const fail = (error: unknown): void =>
      channel.send({ id, error: error instanceof Error ? error.message : String(error) });
    try {
      const result = (operations[operation] as (id: number, ...given: readonly unknown[]) => unknown)(id, ...given);
      if (result instanceof Promise) result.then((late: unknown) => channel.send({ id, result: late }), fail);
      else channel.send({ id, result });
    } catch (error) {
      fail(error);
    }
  });
}
