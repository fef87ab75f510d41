import type { ExtensionMethod } from '../../../../../server/extension.ts';
import { taskFor } from '../../../task-access.ts';
import type { WorkshopOf } from '../../../workshops.ts';
import { told } from '../../wire.ts';

/** Serves `tasks/get`: how a task stands. */
export function getRequestedTask(workshopOf: WorkshopOf): ExtensionMethod {
  return {
    repeatable: true,
    serve: async (operation) => ({ ...told(await taskFor(operation, await workshopOf(operation))) }),
  };
}
