import type { Operation } from '../../../server/operation.ts';
import { isFinal } from '../protocol.ts';
import type { TaskRecord } from '../record.ts';
import type { Workshop } from '../workshop.ts';
import { statusNotification, told } from './wire.ts';

/** Tells the client that asked for a task how it stands, whenever that changes, until it is over. */
export function announceChanges(tell: NonNullable<Operation['tellLater']>, workshop: Workshop, made: TaskRecord): void {
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
    if (record === undefined || isFinal(record.status)) stop();
    if (record === undefined) return;
    const isNew = record.status !== last.status || record.statusMessage !== last.statusMessage;
    last = record;
    if (isNew) tell(statusNotification, { ...told(record) });
  }

  const stop = workshop.watch(made.id, () => {
    look().catch((error: unknown) => workshop.reportError('A client could not be told of its task', error));
  });
}
