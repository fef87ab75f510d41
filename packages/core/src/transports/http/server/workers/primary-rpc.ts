import type { IpcChannel } from './ipc-channel.ts';
import type { WorkerCall, PrimaryMessage } from './messages.ts';

/** The primary, as a worker reaches it. */
export interface PrimaryClient {
  /** Asks for something to be done there, and gives its result. */
  call(operation: string, given?: readonly unknown[]): Promise<unknown>;
  /** The same, and from then on hears what it is told, until it leaves. */
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

/** Makes a line to the primary a way to ask it. */
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
    if ('heard' in message) {
      listeners.get(message.heard)?.(message.message);
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

/** What the primary does for a worker that uses its store, by the name of the operation. `id` names the request. */
export type Operations = Record<string, (id: number, ...given: never[]) => unknown>;

/** Does what a worker asks for, and answers it. */
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
