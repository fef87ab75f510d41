import { unref } from '../runtime/timers.ts';

/** Timeout after which a client is asked although it did not send `notifications/initialized`. */
const waitMs = 5 * 1000;

/**
 * Waits until a client has sent `notifications/initialized`: it must not be asked before. Times out for clients that
 * never send it. `subscribe` calls back when the notification arrives.
 */
export function untilInitialized(subscribe: (go: () => void) => () => void, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer);
      unsubscribe();
      signal?.removeEventListener('abort', go);
      resolve();
    };
    const timer = unref(setTimeout(go, waitMs));
    const unsubscribe = subscribe(go);
    signal?.addEventListener('abort', go, { once: true });
  });
}
