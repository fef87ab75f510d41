import type { TaskForm } from './task-wire.ts';

/** Everything needed to resume a task, in this program or a later one. Plain JSON. */
export interface TaskHandle {
  readonly taskId: string;
  readonly form: TaskForm;
  /** The tool, if known. */
  readonly tool?: string;
  /** When the server created it, as ISO 8601. */
  readonly createdAt: string;
  /** How long the server keeps it after that; null: not limited. */
  readonly ttlMs: number | null;
}

/**
 * Stores the tasks of one server and one user, possibly beyond the program's lifetime. Only their owner may read them.
 */
export interface TaskKeeper {
  /** Stores a new task, before its result is awaited. */
  put(handle: TaskHandle): void | Promise<void>;
  /** Removes a task. */
  delete(taskId: string): void | Promise<void>;
  list(): readonly TaskHandle[] | Promise<readonly TaskHandle[]>;
}

/** True if the server may have removed the task. A minute is added, since clocks differ. */
export function isExpired({ createdAt, ttlMs }: TaskHandle): boolean {
  const made = Date.parse(createdAt);
  return ttlMs !== null && Number.isFinite(made) && Date.now() > made + ttlMs + 60_000;
}

/** Stores or removes a task. A failing keeper does not fail the call. */
export async function saveSafely(keeping: () => void | Promise<void>, warn: (text: string) => void): Promise<void> {
  try {
    await keeping();
  } catch (error) {
    warn(`A task could not be saved: ${(error as Error).message}`);
  }
}
