import { invalidParams } from '../../../jsonrpc/errors.ts';
import type { ExtensionMethod } from '../../../server/extension.ts';
import type { GetTaskRunner, TaskRunner } from '../task-runner.ts';
import { legacyTaskMethods, toResult, withRelatedTask, encodeLegacyTask } from './wire-format.ts';
import { isFinal } from '../protocol.ts';
import { requireTask, parseTaskId, readTask, unknownTask } from '../find-task.ts';
import { storedTaskIds, mayBelongTo } from '../task-id.ts';
import { QuestionRelay } from './question-relay.ts';
import { fromCursor, toCursor } from '../../../server/lists/pagination.ts';
import type { Operation } from '../../../server/call/operation.ts';
import { sessionTaskIds } from './session-tasks.ts';
import { toCancelled } from '../task-transitions.ts';

/** Tasks per page of `tasks/list`. */
const pageSize = 100;

/** Serves `tasks/list`: the caller's tasks, or those of the session if the caller is anonymous. */
export function listLegacyTasks(getRunner: GetTaskRunner): ExtensionMethod['serve'] {
  return async (operation) => {
    const after = parseCursor(operation);
    const runner = await getRunner(operation);
    // Sorted by id: a page starts at the right place even if the last task of the previous page is gone.
    const ids = (await visibleTaskIds(operation, runner)).sort().filter((id) => id > after);
    const page = ids.slice(0, pageSize);
    const records = await Promise.all(page.map((id) => readTask(operation, runner, id)));
    const own = operation.auth?.principal;
    // Several callers may be counted together, and an anonymous task is visible only to those who know its id.
    const tasks = records.flatMap((record) =>
      record?.principal === own && record !== undefined ? [encodeLegacyTask(record)] : [],
    );
    const last = ids.length > pageSize ? page.at(-1) : undefined;
    return { tasks, ...(last !== undefined && { nextCursor: toCursor([legacyTaskMethods.list, last]) }) };
  };
}

function parseCursor({ params: { cursor } }: Operation): string {
  return cursor === undefined ? '' : String(fromCursor(cursor, legacyTaskMethods.list)[0]);
}

async function visibleTaskIds(operation: Operation, { store }: TaskRunner): Promise<string[]> {
  const { auth, countedAs } = operation;
  if (auth === undefined) return await sessionTaskIds(operation);
  return (await store.taskIdsOf(countedAs)).filter((id) => mayBelongTo(id, auth.principal));
}

/** Serves `tasks/result`: waits for the end of a task, and relays its questions meanwhile. */
export function legacyTaskResult(getRunner: GetTaskRunner): ExtensionMethod['serve'] {
  return async (operation) => {
    const runner = await getRunner(operation);
    await runner.feed.open();
    const { signal } = operation;
    const changed = new Signal();
    const ids = storedTaskIds(parseTaskId(operation), operation.auth?.principal);
    const stops = ids.map((id) => runner.feed.watch(id, () => changed.notify()));
    // A client that is reachable outside of this request was asked already.
    const isAsked = (): boolean =>
      operation.sessionKey !== undefined &&
      ids.some((id) => runner.questionSessions.get(id) === operation.sessionKey) &&
      operation.askLater() !== undefined;
    const relay = new QuestionRelay(() => (isAsked() ? undefined : operation.askNow), runner);
    const wake = (): void => changed.notify();
    signal.addEventListener('abort', wake, { once: true });
    try {
      for (;;) {
        const nextChange = changed.wait();
        const record = await requireTask(operation, runner);
        signal.throwIfAborted();
        if (isFinal(record.status)) {
          const { id, outcome, tool } = record;
          return withRelatedTask(id, toResult(outcome && operation.toRevision(outcome, tool)));
        }
        relay.ask(record);
        await nextChange;
      }
    } finally {
      signal.removeEventListener('abort', wake);
      relay.stop();
      for (const stop of stops) stop();
    }
  };
}

/** Wakes a waiter; a notification before `wait` resolves the earlier promise. */
class Signal {
  #resolve: () => void = () => {};

  /** Resolves with the next notification. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  notify(): void {
    this.#resolve();
  }
}

/** Serves `tasks/get`. */
export function getLegacyTask(getRunner: GetTaskRunner): ExtensionMethod['serve'] {
  return async (operation) => ({ ...encodeLegacyTask(await requireTask(operation, await getRunner(operation))) });
}

/** Serves `tasks/cancel`: the task is cancelled before the client gets the answer, whenever its handler stops. */
export function cancelLegacyTask(getRunner: GetTaskRunner): ExtensionMethod['serve'] {
  return async (operation) => {
    const runner = await getRunner(operation);
    const known = await requireTask(operation, runner);
    let isOpen = false;
    const change = (): ReturnType<typeof toCancelled> => {
      isOpen = true;
      return toCancelled();
    };
    const record = await runner.store.update(known.id, change, known);
    if (record === undefined) throw unknownTask();
    if (!isOpen || record.status !== 'cancelled') {
      throw invalidParams(`The task can't be cancelled: it is ${encodeLegacyTask(record).status} already`);
    }
    await runner.store.publish(record);
    return { ...encodeLegacyTask(record) };
  };
}
