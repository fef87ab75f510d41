import { isThenable } from '../../../../jsonrpc/awaitable.ts';
import { limits } from '../../../../limits.ts';
import { StoreFailure } from '../../../../server/store-failure.ts';
import type { Store } from '../../../../stores/store.ts';
import { storeOperations } from '../../../../stores/operations.ts';

/** Who hears of failures. */
interface Reporter {
  reportError(message: string, error: unknown): void;
}

const pauseMs = limits.http.storeLogMs.value;

/** Handlers of one server that share a store see the same one. */
const guarded = new WeakMap<Reporter, WeakMap<Store, Store>>();

/**
 * A store whose failures become errors that tell clients to come back later. Why it failed is logged, and not for each of
 * them: a store that is away fails with every request.
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
    // That a store is away is logged by who watches it.
    if (now >= quietUntil && store.status?.().ready !== false) {
      quietUntil = now + pauseMs;
      server.reportError('What instances of the server share could not be used', error);
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
