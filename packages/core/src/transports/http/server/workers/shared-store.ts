import type { Store } from '../../../../stores/store.ts';
import type { Primary } from './primary-rpc.ts';
import { type StoreOperation, storeOperations } from '../../../../stores/operations.ts';

/** A store of the primary's, as a worker has it. */
export function borrowStore(primary: Primary): Store {
  const listening = new Set<() => void>();
  let isClosed = false;
  const ask = (operation: string, given: readonly unknown[]): Promise<unknown> => {
    if (isClosed) return Promise.reject(new Error(`The store was closed before ${operation}`));
    return primary.ask(operation, given);
  };
  const plain = Object.fromEntries(
    storeOperations.map((name) => [name, (...given: unknown[]) => ask(name, given.map(sendable))]),
  ) as unknown as Pick<Store, StoreOperation>;

  return {
    ...plain,
    async members(key) {
      return new Set((await ask('members', [key])) as string[]);
    },
    async subscribe(topic, listener) {
      if (isClosed) throw new Error('The store was closed before subscribe');
      const { id, asked, leave } = primary.listen('subscribe', [topic], (message) => listener(message as string));
      listening.add(leave);
      await asked;
      return () => {
        if (!listening.delete(leave)) return;
        leave();
        ask('unsubscribe', [id]).catch(() => {});
      };
    },
    async close() {
      if (isClosed) return;
      for (const leave of listening) leave();
      listening.clear();
      const ended = ask('endStore', []);
      isClosed = true;
      await ended;
    },
  };
}

/** JSON drops what is undefined: a field that is to go would stay. And it has no endless numbers: the largest stands for them. */
function sendable(given: unknown): unknown {
  if (given === undefined) return null;
  if (given === Number.POSITIVE_INFINITY) return Number.MAX_VALUE;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const fields = Object.entries(given);
  if (fields.every(([, value]) => value === sendable(value))) return given;
  return Object.fromEntries(fields.map(([name, value]) => [name, sendable(value)]));
}
