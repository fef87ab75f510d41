import type { TaskForm } from './task-wire.ts';

/** What has to be known of a task to take it up again, by this program or a later one. It is plain JSON. */
export interface TaskHandle {
  readonly taskId: string;
  readonly form: TaskForm;
  /** The tool that was called, if that is known. */
  readonly tool?: string;
  /** When the server made it, as ISO 8601. */
  readonly createdAt: string;
  /** For how long the server keeps it from then on; null: for as long as it likes. */
  readonly ttlMs: number | null;
}

/** A place for the tasks of one server and one user, which may outlive the program. What is in it may be read by its owner alone. */
export interface TaskKeeper {
  /** Takes a new task, before anybody waits for it. */
  put(handle: TaskHandle): void | Promise<void>;
  /** Drops a task of which nothing more is wanted. */
  delete(taskId: string): void | Promise<void>;
  list(): readonly TaskHandle[] | Promise<readonly TaskHandle[]>;
}

/** True where a server need not know the task any more. Clocks differ, so a minute is added. */
export function isExpired({ createdAt, ttlMs }: TaskHandle): boolean {
  const made = Date.parse(createdAt);
  return ttlMs !== null && Number.isFinite(made) && Date.now() > made + ttlMs + 60_000;
}

/** Keeps a task, or drops it. A place that fails costs nobody their result. */
export async function saveSafely(keeping: () => void | Promise<void>, warn: (text: string) => void): Promise<void> {
  try {
    await keeping();
  } catch (error) {
    warn(`A task could not be kept: ${(error as Error).message}`);
  }
}
