import { isFinal } from '../protocol.ts';
import type { ExtensionMethod } from '../../../server/extension.ts';
import { taskFor, taskIdOf, keptTask, unknownTask } from '../find-task.ts';
import { keptIds, mayBelongTo } from '../task-id.ts';
import type { WorkshopOf } from '../task-runners.ts';
import { Asker } from './question-relay.ts';
import { payloadOf, relatedTo, told, requestedMethods } from './wire-format.ts';
import { limits } from '../../../limits.ts';
import { fromCursor, toCursor } from '../../../server/cursor.ts';
import type { Operation } from '../../../server/operation.ts';
import type { Workshop } from '../task-runner.ts';
import { idsOfSession } from './session-tasks.ts';
import { invalidParams } from '../../../jsonrpc/errors.ts';
import { cancelled } from '../task-transitions.ts';

const pageSize = limits.tasks.pageSize.value;

/** Serves `tasks/list`: the caller's tasks, or where nobody says who they are, those of their session. */
export function listRequestedTasks(workshopOf: WorkshopOf): ExtensionMethod {
  return {
    repeatable: true,
    async serve(operation) {
      const after = placeOf(operation);
      const workshop = await workshopOf(operation);
      // In an order that their ids say: a page begins at the right place also where the last task of the former is gone.
      const ids = (await ownIds(operation, workshop)).sort().filter((id) => id > after);
      const page = ids.slice(0, pageSize);
      const records = await Promise.all(page.map((id) => keptTask(operation, workshop, id)));
      const own = operation.auth?.principal;
      // Those who are counted together may be several; of a task that is nobody's, only its id lets others know of it.
      const tasks = records.flatMap((record) =>
        record?.principal === own && record !== undefined ? [told(record)] : [],
      );
      const last = ids.length > pageSize ? page.at(-1) : undefined;
      return { tasks, ...(last !== undefined && { nextCursor: toCursor([requestedMethods.list, last]) }) };
    },
  };
}

function placeOf({ params: { cursor } }: Operation): string {
  return cursor === undefined ? '' : String(fromCursor(cursor, requestedMethods.list)[0]);
}

async function ownIds(operation: Operation, { store }: Workshop): Promise<string[]> {
  const { auth, countedAs } = operation;
  if (auth === undefined) return await idsOfSession(operation);
  return (await store.idsOf(countedAs)).filter((id) => mayBelongTo(id, auth.principal));
}

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

/** Serves `tasks/get`: how a task stands. */
export function getRequestedTask(workshopOf: WorkshopOf): ExtensionMethod {
  return {
    repeatable: true,
    serve: async (operation) => ({ ...told(await taskFor(operation, await workshopOf(operation))) }),
  };
}

/** Serves `tasks/cancel`: the task is cancelled before its client hears of it, whenever its handler stops. */
export function cancelRequestedTask(workshopOf: WorkshopOf): ExtensionMethod {
  return {
    urgent: true,
    async serve(operation) {
      const workshop = await workshopOf(operation);
      const known = await taskFor(operation, workshop);
      let isOpen = false;
      const change = (): ReturnType<typeof cancelled> => {
        isOpen = true;
        return cancelled();
      };
      const record = await workshop.store.change(known.id, change, known);
      if (record === undefined) throw unknownTask();
      if (!isOpen || record.status !== 'cancelled') {
        throw invalidParams(`The task can't be cancelled: it is ${told(record).status} already`);
      }
      await workshop.store.tell(record);
      return { ...told(record) };
    },
  };
}
