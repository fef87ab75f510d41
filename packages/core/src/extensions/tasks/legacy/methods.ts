import { isFinal } from '../protocol.ts';
import type { ExtensionMethod } from '../../../server/extension.ts';
import { taskFor, taskIdOf } from '../find-task.ts';
import { keptIds } from '../task-id.ts';
import type { WorkshopOf } from '../task-runners.ts';
import { Asker } from './question-relay.ts';
import { payloadOf, relatedTo } from './wire-format.ts';

/** Serves `tasks/result`: waits until a task is over, and asks its questions meanwhile. */
export function requestedResult(workshopOf: WorkshopOf): ExtensionMethod {
  return {
    repeatable: true,
    waits: true,
    async serve(operation) {
      const workshop = await workshopOf(operation);
      await workshop.ready();
      const { signal } = operation;
      const news = new News();
      const ids = keptIds(taskIdOf(operation), operation.auth?.principal);
      const stops = ids.map((id) => workshop.watch(id, () => news.tell()));
      // Whoever can be reached outside of this request was asked already.
      const isAsked = (): boolean =>
        operation.sessionKey !== undefined &&
        ids.some((id) => workshop.standing.get(id) === operation.sessionKey) &&
        operation.askLater() !== undefined;
      const asker = new Asker(() => (isAsked() ? undefined : operation.askNow), workshop);
      const wake = (): void => news.tell();
      signal.addEventListener('abort', wake, { once: true });
      try {
        for (;;) {
          const heard = news.next();
          const record = await taskFor(operation, workshop);
          signal.throwIfAborted();
          if (isFinal(record.status)) {
            const { id, outcome, tool } = record;
            return relatedTo(id, payloadOf(outcome && operation.told(outcome, tool)));
          }
          asker.ask(record);
          await heard;
        }
      } finally {
        signal.removeEventListener('abort', wake);
        asker.stop();
        for (const stop of stops) stop();
      }
    },
  };
}

/** Wakes whoever waits for something new; what is told before they wait is not lost. */
class News {
  #tell: () => void = () => {};

  /** Resolved when something is told from now on. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  tell(): void {
    this.#tell();
  }
}
