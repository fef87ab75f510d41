import { limits } from '../../../../limits.ts';
import { inWorkers } from '../../../../runtime/kind.ts';
import { letEnd } from '../../../../runtime/timers.ts';
import type { Engine } from '../../../../server/engine.ts';
import type { Store } from '../../../../stores/store.ts';

const everyMs = limits.http.storeLookMs.value;

/** Logs when a store can't be used any more, and when it can again. Gives the way to stop. */
export function watchStore({ status }: Store, server: Engine): () => void {
  if (status === undefined || inWorkers) return () => {};
  let isReady = true;
  const look = (): void => {
    const { ready, reason = 'it does not say why' } = status();
    if (ready === isReady) return;
    isReady = ready;
    if (ready) server.note('warning', 'What instances of the server share can be used again');
    else server.note('error', `What instances of the server share can't be used now: ${reason}`);
  };
  look();
  const timer = letEnd(setInterval(look, everyMs));
  return () => clearInterval(timer);
}
