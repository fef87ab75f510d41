import type { Store } from '../../../../stores/store.ts';
import { type StoreOperation, storeOperations } from '../../../../stores/operations.ts';

/** What the primary does for a worker that uses its store, by the name of the operation. `id` names the request. */
export type Operations = Record<string, (id: number, ...given: never[]) => unknown>;

/** A store as one worker reaches it. */
export interface LentStore {
  operations: Operations;
  /** Ends its subscriptions. */
  end(): void;
}

/** Lets a worker use a store of this process. `tell` tells it what a subscription heard. */
export function lendStore(store: Store, tell: (heard: number, message: string) => void): LentStore {
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
      const result = operation(...given.map(withUndefined));
      return result instanceof Promise ? result.then(asJson) : asJson(result);
    };
  }
  return { operations, end };
}

/** JSON has no sets. */
function asJson(result: unknown): unknown {
  return result instanceof Set ? [...result] : result;
}

/** JSON has no undefined: null stands for it. */
function withUndefined(given: unknown): unknown {
  if (given === null) return undefined;
  if (typeof given !== 'object' || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? undefined]));
}
