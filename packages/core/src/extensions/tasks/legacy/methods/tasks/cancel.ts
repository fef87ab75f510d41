import { invalidParams } from '../../../../../jsonrpc/errors.ts';
import type { ExtensionMethod } from '../../../../../server/extension.ts';
import { taskFor, unknownTask } from '../../../find-task.ts';
import { cancelled } from '../../../task-transitions.ts';
import type { WorkshopOf } from '../../../task-runners.ts';
import { told } from '../../wire-format.ts';

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
