import type { ExtensionMethod } from '../../../../server/extension.ts';
import { taskFor } from '../../find-task.ts';
import { detailedOf } from '../../wire-format.ts';
import type { WorkshopOf } from '../../task-runners.ts';

/** Serves `tasks/get`: how a task stands, with its questions or its result. */
export function getTask(workshopOf: WorkshopOf): ExtensionMethod {
  return {
    mirrors: 'taskId',
    repeatable: true,
    async serve(operation) {
      const record = await taskFor(operation, await workshopOf(operation));
      return { ...detailedOf(record, (outcome) => operation.told(outcome, record.tool)) };
    },
  };
}
