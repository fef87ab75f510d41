import { limits } from '../../../../../limits.ts';
import { fromCursor, toCursor } from '../../../../../server/cursor.ts';
import type { ExtensionMethod } from '../../../../../server/extension.ts';
import type { Operation } from '../../../../../server/operation.ts';
import { keptTask } from '../../../find-task.ts';
import { mayBelongTo } from '../../../task-id.ts';
import type { Workshop } from '../../../task-runner.ts';
import type { WorkshopOf } from '../../../task-runners.ts';
import { idsOfSession } from '../../session-tasks.ts';
import { requestedMethods, told } from '../../wire-format.ts';

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
