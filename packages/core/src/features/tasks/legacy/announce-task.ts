import type { Operation } from '../../../server/call/operation.ts';
import { isFinal } from '../protocol.ts';
import type { TaskRecord, TaskPlan } from '../task-record.ts';
import type { TaskRunner } from '../task-runner.ts';
import { QuestionRelay } from './question-relay.ts';
import { statusNotification, encodeLegacyTask, encodeCreatedTask } from './wire-format.ts';
import type { TaskRun } from '../task-run.ts';
import { addSessionTask } from './session-tasks.ts';

/** How to reach the client of a task. */
interface ClientReach extends Pick<Operation, 'askLater' | 'sessionKey'> {
  readonly tell: NonNullable<Operation['notifyLater']>;
}

/**
 * Notifies the client that requested a task of each change until it ends, and relays its questions, since a client may
 * poll rarely.
 */
function notifyChanges({ tell, askLater, sessionKey }: ClientReach, runner: TaskRunner, made: TaskRecord): void {
  const relay = new QuestionRelay(askLater, runner);
  if (sessionKey !== undefined) runner.questionSessions.set(made.id, sessionKey);
  let last = made;
  let isReading = false;
  let isStale = false;

  async function read(): Promise<void> {
    isStale = true;
    if (isReading) return;
    isReading = true;
    try {
      while (isStale) {
        isStale = false;
        notifyOf(await runner.store.read(made.id));
      }
    } finally {
      isReading = false;
    }
  }

  function notifyOf(record: TaskRecord | undefined): void {
    if (record === undefined || isFinal(record.status)) end();
    if (record === undefined) return;
    const isNew = record.status !== last.status || record.statusMessage !== last.statusMessage;
    last = record;
    if (isNew) tell(statusNotification, { ...encodeLegacyTask(record) });
    if (!isFinal(record.status)) relay.ask(record);
  }

  function end(): void {
    stop();
    relay.stop();
    runner.questionSessions.delete(made.id);
  }

  const stop = runner.feed.watch(made.id, () => {
    read().catch((error: unknown) => runner.reportError('A client could not be notified of its task', error));
  });
}

/** Starts the task that a call requests, and keeps its client informed. */
export async function startLegacyTask(operation: Operation, runner: TaskRunner, plan: TaskPlan): Promise<TaskRun> {
  const { auth, notifyLater, askLater, sessionKey } = operation;
  const run = await runner.start(operation, plan, async (record) => {
    if (auth === undefined) await addSessionTask(operation, record.id);
    return encodeCreatedTask(record);
  });
  if (notifyLater !== undefined) notifyChanges({ tell: notifyLater, askLater, sessionKey }, runner, run.record);
  return run;
}
