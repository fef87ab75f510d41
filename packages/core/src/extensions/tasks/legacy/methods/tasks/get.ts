import type { ExtensionMethod } from '../../../../../server/extension.ts';
import { taskFor } from '../../../find-task.ts';
import type { WorkshopOf } from '../../../task-runners.ts';
import { told } from '../../wire-format.ts';

/** Serves `tasks/get`: how a task stands. */
export function getRequestedTask(workshopOf: WorkshopOf): ExtensionMethod {
  return {
    repeatable: true,
    serve: async (operation) => ({ ...told(await taskFor(operation, await workshopOf(operation))) }),
  };
}
