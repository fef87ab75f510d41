import { limits } from '../limits.ts';
import { letEnd } from '../runtime/timers.ts';

const waitMs = limits.server.initializedMs.value;

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
    const timer = letEnd(setTimeout(go, waitMs));
    const unsubscribe = subscribe(go);
    signal?.addEventListener('abort', go, { once: true });
  });
}
