import { unref } from '../runtime/timers.ts';

/** Time for a client to say that it is ready before it is asked all the same. */
const waitMs = 5 * 1000;

/**
 * Waits until a client has sent `notifications/initialized`: it should be asked nothing before. One that never sends it is
 * asked after a while all the same. `subscribe` calls back when the notification comes.
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
