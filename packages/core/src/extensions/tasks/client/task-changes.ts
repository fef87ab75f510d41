import { type DetailedTask, isFinal } from '../protocol.ts';
import type { TaskWatch } from './task-poller.ts';

/** How a task stands now, and each time that it changes. A slow reader misses what was in between. */
export function taskChanges(watch: TaskWatch): AsyncIterator<DetailedTask, undefined, undefined> {
  let told: DetailedTask | undefined;
  let failure: Error | undefined;
  let isOver = false;
  let wake = (): void => {};
  const unwatch = watch.watch({
    changed: () => wake(),
    failed(error) {
      failure = error;
      wake();
    },
  });
  const end = (): { done: true; value: undefined } => {
    isOver = true;
    unwatch();
    wake();
    return { done: true, value: undefined };
  };
  return {
    async next() {
      for (;;) {
        if (isOver || (told !== undefined && isFinal(told.status))) return end();
        if (watch.task !== told) {
          told = watch.task;
          return { done: false, value: told };
        }
        if (failure !== undefined) {
          end();
          throw failure;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    // A generator would wait for the next change first.
    return: async () => end(),
  };
}
