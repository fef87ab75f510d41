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
