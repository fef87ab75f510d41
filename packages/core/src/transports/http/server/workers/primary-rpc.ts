import type { Line } from './ipc-channel.ts';
import type { Asked, Told } from './messages.ts';

/** The primary, as a worker reaches it. */
export interface Primary {
  /** Asks for something to be done there, and gives its result. */
  ask(operation: string, given?: readonly unknown[]): Promise<unknown>;
  /** The same, and from then on hears what it is told, until it leaves. */
  listen(
    operation: string,
    given: readonly unknown[],
    listener: (message: unknown) => void,
  ): { id: number; asked: Promise<unknown>; leave(): void };
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Makes a line to the primary a way to ask it. */
export function primaryAt(line: Line<Asked, Told>): Primary {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<number, (message: unknown) => void>();
  let lastId = 0;
  const ask = (operation: string, given: readonly unknown[] = []): Promise<unknown> => {
    const id = ++lastId;
    line.send({ id, operation, given });
    return new Promise((resolve, reject) => void waiting.set(id, { resolve, reject }));
  };
  line.hear((told) => {
    if ('heard' in told) {
      listeners.get(told.heard)?.(told.message);
      return;
    }
    const asker = waiting.get(told.id);
    waiting.delete(told.id);
    if (told.error === undefined) asker?.resolve(told.result);
    else asker?.reject(new Error(told.error));
  });
  return {
    ask,
    listen(operation, given, listener) {
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
export function answerWorker(line: Line<Told, Asked>, operations: Operations): void {
  line.hear(({ id, operation, given }) => {
    const fail = (error: unknown): void =>
      line.send({ id, error: error instanceof Error ? error.message : String(error) });
    try {
      const result = (operations[operation] as (id: number, ...given: readonly unknown[]) => unknown)(id, ...given);
      if (result instanceof Promise) result.then((late: unknown) => line.send({ id, result: late }), fail);
      else line.send({ id, result });
    } catch (error) {
      fail(error);
    }
  });
}
