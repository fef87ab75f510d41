import type { TaskRecord } from './task-record.ts';
import { startIn } from './task-id.ts';

/** A task that nobody has changed since it was made, without what its id says. */
export type FreshTask = Omit<TaskRecord, 'id' | 'createdAt' | 'updatedAt'>;

/** How many of them are remembered at most. */
const maxTasks = 100;

const known = new Map<string, FreshTask>();

/** What is to be known of a task that was just made, once for all that are alike: most of those that wait are. */
export function freshTask(record: TaskRecord): FreshTask {
  const name = `${record.tool} ${record.countedAs}`;
  const shared = known.get(name);
  if (shared !== undefined && isAlike(shared, record)) return shared;
  const { id: _, createdAt: __, updatedAt: ___, call: ____, ...fresh } = record;
  if (known.size === maxTasks) known.clear();
  known.set(name, fresh);
  return fresh;
}

/** The whole of it. */
export function wholeTask(id: string, fresh: FreshTask): TaskRecord {
  const createdAt = startIn(id);
  return { ...fresh, id, createdAt, updatedAt: createdAt };
}

function isAlike(fresh: FreshTask, record: TaskRecord): boolean {
  for (const name in fresh) {
    const [one, other] = [fresh[name as keyof FreshTask], record[name as keyof FreshTask]];
    if (one !== other && !(Array.isArray(one) && Array.isArray(other) && isSameList(one, other))) return false;
  }
  return record.principal === fresh.principal && record.scopes?.length === fresh.scopes?.length;
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}
