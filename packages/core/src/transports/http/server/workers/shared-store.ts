import type { Store } from '../../../../stores/store.ts';
import type { Operations, PrimaryClient } from './primary-rpc.ts';
import { type StoreOperation, storeOperations } from '../../../../stores/operations.ts';

/** A store of the primary, as a worker uses it. */
export function createStoreClient(primary: PrimaryClient): Store {
  const subscriptions = new Set<() => void>();
  let isClosed = false;
  const ask = (operation: string, given: readonly unknown[]): Promise<unknown> => {
    if (isClosed) return Promise.reject(new Error(`The store was closed before ${operation}`));
    return primary.call(operation, given);
  };
  const plain = Object.fromEntries(
    storeOperations.map((name) => [name, (...given: unknown[]) => ask(name, given.map(toJson))]),
  ) as unknown as Pick<Store, StoreOperation>;

  return {
    ...plain,
    async members(key) {
      return new Set((await ask('members', [key])) as string[]);
    },
    async subscribe(topic, listener) {
      if (isClosed) throw new Error('The store was closed before subscribe');
      const { id, asked, leave } = primary.subscribe('subscribe', [topic], (message) => listener(message as string));
      subscriptions.add(leave);
      await asked;
      return () => {
        if (!subscriptions.delete(leave)) return;
        leave();
        ask('unsubscribe', [id]).catch(() => {});
      };
    },
    async close() {
      if (isClosed) return;
      for (const leave of subscriptions) leave();
      subscriptions.clear();
      const ended = ask('endStore', []);
      isClosed = true;
      await ended;
    },
  };
}

/**
 * JSON drops undefined, so that removed fields would stay, and has no infinity: null and the largest number replace
 * them.
 */
function toJson(given: unknown): unknown {
  if (given === undefined) return null;
  if (given === Number.POSITIVE_INFINITY) return Number.MAX_VALUE;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const fields = Object.entries(given);
  if (fields.every(([, value]) => value === toJson(value))) return given;
  return Object.fromEntries(fields.map(([name, value]) => [name, toJson(value)]));
}

/** A store as one worker reaches it. */
interface StoreService {
  operations: Operations;
  /** Ends the worker's subscriptions. */
  end(): void;
}

/** Serves a store of this process to a worker. `tell` sends it the events of a subscription. */
export function serveStore(store: Store, tell: (listenerId: number, message: string) => void): StoreService {
  const subscriptions = new Map<number, () => void>();
  let isOver = false;
  const end = (): void => {
    isOver = true;
    for (const stop of subscriptions.values()) stop();
    subscriptions.clear();
  };
  const operations: Operations = {
    async subscribe(id: number, topic: string) {
      const stop = await store.subscribe(topic, (message) => tell(id, message));
      if (isOver) stop();
      else subscriptions.set(id, stop);
    },
    unsubscribe(_: number, subscription: number) {
      subscriptions.get(subscription)?.();
      subscriptions.delete(subscription);
    },
    endStore: end,
  };
  for (const name of storeOperations) {
    const operation = store[name].bind(store) as (...given: unknown[]) => ReturnType<Store[StoreOperation]>;
    operations[name] = (_: number, ...given: unknown[]) => {
      const result = operation(...given.map(fromJson));
      return result instanceof Promise ? result.then(resultToJson) : resultToJson(result);
    };
  }
  return { operations, end };
}

/** JSON has no sets. */
function resultToJson(result: unknown): unknown {
  return result instanceof Set ? [...result] : result;
}

/** JSON has no undefined: null replaces it. */
function fromJson(given: unknown): unknown {
  if (given === null) return undefined;
  if (typeof given !== 'object' || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? undefined]));
}
