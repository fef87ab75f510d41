import type { Operation } from '../../../server/operation.ts';
import type { PlannedTask } from '../task-record.ts';
import type { TaskRun } from '../task-run.ts';
import type { Workshop } from '../task-runner.ts';
import { announceChanges } from './announce-task.ts';
import { noteInSession } from './session-tasks.ts';
import { createdTask } from './wire-format.ts';

/** Makes the task that a call asks for, and sees to it that its client finds it and hears of it. */
export async function beginRequested(operation: Operation, workshop: Workshop, plan: PlannedTask): Promise<TaskRun> {
  const { auth, tellLater, askLater, sessionKey } = operation;
  const run = await workshop.begin(operation, plan, async (record) => {
    if (auth === undefined) await noteInSession(operation, record.id);
    return createdTask(record);
  });
  if (tellLater !== undefined) announceChanges({ tell: tellLater, askLater, sessionKey }, workshop, run.record);
  return run;
}
