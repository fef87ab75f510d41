import type { ExtensionMethod } from '../../../../server/extension.ts';
import { cancelled } from '../../task-transitions.ts';
import { taskFor } from '../../find-task.ts';
import type { WorkshopOf } from '../../task-runners.ts';

/** Serves `tasks/cancel`: tells whoever works on a task to stop. One that is over stays as it is. */
export function cancelTask(workshopOf: WorkshopOf): ExtensionMethod {
  return {
    mirrors: 'taskId',
    repeatable: true,
    urgent: true,
    async serve(operation) {
      const { store } = await workshopOf(operation);
      const known = await taskFor(operation, await workshopOf(operation));
      const change = ({ worker, cancelling }: typeof known): ReturnType<typeof cancelled> | undefined => {
        if (worker === '') return cancelled();
        return cancelling ? undefined : { cancelling: true };
      };
      const record = await store.change(known.id, change, known);
      // Also where nothing changed: whoever works on it may not have heard of it the first time.
      if (record !== undefined) await store.tell(record);
      return {};
    },
  };
}
