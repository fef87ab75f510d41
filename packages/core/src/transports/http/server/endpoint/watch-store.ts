import { isWorkerd } from '../../../../runtime/kind.ts';
import { unref } from '../../../../runtime/timers.ts';
import type { Engine } from '../../../../server/engine.ts';
import type { Store } from '../../../../stores/store.ts';

/** How often the status of a store is checked, for the log. */
const everyMs = 1000;

/** Logs when a store goes down and recovers. Returns the function that stops that. */
export function watchStore({ status }: Store, server: Engine): () => void {
  if (status === undefined || isWorkerd) return () => {};
  let isReady = true;
  const check = (): void => {
    const { ready, reason = 'it does not say why' } = status();
    if (ready === isReady) return;
    isReady = ready;
    if (ready) server.note('warning', 'What instances of the server share can be used again');
    else server.note('error', `What instances of the server share can't be used now: ${reason}`);
  };
  check();
  const timer = unref(setInterval(check, everyMs));
  return () => clearInterval(timer);
}
