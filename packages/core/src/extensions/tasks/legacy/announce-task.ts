import type { Operation } from '../../../server/operation.ts';
import { isFinal } from '../protocol.ts';
import type { TaskRecord, PlannedTask } from '../task-record.ts';
import type { Workshop } from '../task-runner.ts';
import { Asker } from './question-relay.ts';
import { statusNotification, told, createdTask } from './wire-format.ts';
import type { TaskRun } from '../task-run.ts';
import { noteInSession } from './session-tasks.ts';

/** How the client of a task is reached. */
interface Announcing extends Pick<Operation, 'askLater' | 'sessionKey'> {
  readonly tell: NonNullable<Operation['tellLater']>;
}

/**
 * Tells the client that asked for a task how it stands, whenever that changes, until it is over, and asks its questions: a client
 * may only look at the task now and then.
 */
export function announceChanges(
  { tell, askLater, sessionKey }: Announcing,
  workshop: Workshop,
  made: TaskRecord,
): void {
  const asker = new Asker(askLater, workshop);
  if (sessionKey !== undefined) workshop.standing.set(made.id, sessionKey);
  let last = made;
  let isLooking = false;
  let isLate = false;

  async function look(): Promise<void> {
    isLate = true;
    if (isLooking) return;
    isLooking = true;
    try {
      while (isLate) {
        isLate = false;
        tellOf(await workshop.store.read(made.id));
      }
    } finally {
      isLooking = false;
    }
  }

  function tellOf(record: TaskRecord | undefined): void {
    if (record === undefined || isFinal(record.status)) end();
    if (record === undefined) return;
    const isNew = record.status !== last.status || record.statusMessage !== last.statusMessage;
    last = record;
    if (isNew) tell(statusNotification, { ...told(record) });
    if (!isFinal(record.status)) asker.ask(record);
  }

  function end(): void {
    stop();
    asker.stop();
    workshop.standing.delete(made.id);
  }

  const stop = workshop.watch(made.id, () => {
    look().catch((error: unknown) => workshop.reportError('A client could not be told of its task', error));
  });
}

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
