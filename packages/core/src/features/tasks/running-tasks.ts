import type { TaskRun } from './task-run.ts';

/** The tasks of one instance: those that run, and those being created. */
export class RunningTasks {
  readonly #runs = new Map<string, TaskRun>();
  readonly #starting = new Set<string>();
  readonly #endListeners = new Set<() => void>();

  /** How many tasks run, or are being created. */
  get size(): number {
    return this.#runs.size + this.#starting.size;
  }

  get isStarting(): boolean {
    return this.#starting.size > 0;
  }

  has(id: string): boolean {
    return this.#runs.has(id) || this.#starting.has(id);
  }

  get(id: string): TaskRun | undefined {
    return this.#runs.get(id);
  }

  all(): TaskRun[] {
    return [...this.#runs.values()];
  }

  add(run: TaskRun): void {
    this.#runs.set(run.id, run);
  }

  /** Removes a task that has ended. False if it was not here. */
  remove(run: TaskRun): boolean {
    if (this.#runs.get(run.id) !== run) return false;
    this.#runs.delete(run.id);
    this.notifyEnded();
    return true;
  }

  /** Counts a task while it is being created. */
  async start<T>(id: string, create: () => Promise<T>): Promise<T> {
    this.#starting.add(id);
    try {
      return await create();
    } finally {
      this.#starting.delete(id);
      this.notifyEnded();
    }
  }

  /** Resolves when the next task has ended or was created. */
  waitForEnd(): Promise<void> {
    return new Promise((resolve) => {
      this.#endListeners.add(resolve);
    });
  }

  notifyEnded(): void {
    for (const listener of this.#endListeners) listener();
    this.#endListeners.clear();
  }
}
