import { isThenable } from '../../../../jsonrpc/awaitable.ts';
import { isWorkerd } from '../../../../runtime/kind.ts';
import { unref } from '../../../../runtime/timers.ts';
import type { Engine } from '../../../../server/engine.ts';
import { StoreFailure } from '../../../../server/store-failure.ts';
import type { Store } from '../../../../stores/store.ts';
import { storeOperations } from '../../../../stores/operations.ts';

/** Logs the failures. */
interface Reporter {
  reportError(message: string, error: unknown): void;
}

/** Time between two log entries about a failing store. */
const pauseMs = 10 * 1000;

/** Handlers of one server with the same store share its guard. */
const guarded = new WeakMap<Reporter, WeakMap<Store, Store>>();

/**
 * Wraps a store: its failures become errors that ask clients to retry later. They are logged once in a while, since a store
 * that is down fails with every request.
 */
export function guardStore(store: Store, server: Reporter): Store {
  const ofServer = guarded.get(server) ?? new WeakMap<Store, Store>();
  guarded.set(server, ofServer);
  const known = ofServer.get(store) ?? makeGuard(store, server);
  ofServer.set(store, known);
  return known;
}

function makeGuard(store: Store, server: Reporter): Store {
  let quietUntil = 0;
  const fail = (error: unknown): never => {
    const now = performance.now();
    // `watchStore` logs that a store is down.
    if (now >= quietUntil && store.status?.().ready !== false) {
      quietUntil = now + pauseMs;
      server.reportError('The shared store failed', error);
    }
    throw new StoreFailure();
  };
  const guard = (name: keyof Store): unknown => {
    return (...given: unknown[]) => {
      const operation = store[name] as (...given: unknown[]) => unknown;
      try {
        const result = operation.apply(store, given);
        return isThenable(result) ? Promise.resolve(result).catch(fail) : result;
      } catch (error) {
        return fail(error);
      }
    };
  };
  const names = [...storeOperations, 'subscribe'] as const;
  const operations = Object.fromEntries(names.map((name) => [name, guard(name)])) as unknown as Omit<Store, 'close'>;
  const status = store.status?.bind(store);
  return { ...operations, ...(status !== undefined && { status }), close: () => store.close() };
}

/** How often the status of a store is checked, for the log. */
const everyMs = 1000;

/** Logs when a store goes down and recovers. Returns the function that stops that. */
export function watchStore({ status }: Store, server: Engine): () => void {
  if (status === undefined || isWorkerd) return () => {};
  let isReady = true;
  const check = (): void => {
    const { ready, reason = 'unknown reason' } = status();
    if (ready === isReady) return;
    isReady = ready;
    if (ready) server.note('warning', 'The shared store is available again');
    else server.note('error', `The shared store is unavailable: ${reason}`);
  };
  check();
  const timer = unref(setInterval(check, everyMs));
  return () => clearInterval(timer);
}
