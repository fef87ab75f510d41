import type { TaskEvent, TaskStore } from './task-store.ts';

/** The changes of tasks by all instances, for those who watch single tasks. */
export class TaskFeed {
  readonly #store: TaskStore;
  readonly #onEvent: (event: TaskEvent) => void;
  readonly #onGap: () => void;
  readonly #watchers = new Map<string, Set<() => void>>();
  #subscription: Promise<() => void> | undefined;

  /** `onEvent` gets every change, `onGap` is called when changes may have been missed; watchers are notified after both. */
  constructor(store: TaskStore, onEvent: (event: TaskEvent) => void, onGap: () => void) {
    this.#store = store;
    this.#onEvent = onEvent;
    this.#onGap = onGap;
  }

  /** Resolves when changes by other instances are received. */
  async open(): Promise<void> {
    this.#subscription ??= this.#store.subscribe(
      (event) => {
        this.#onEvent(event);
        this.#notify(event.id);
      },
      () => {
        this.#onGap();
        for (const id of this.#watchers.keys()) this.#notify(id);
      },
    );
    try {
      await this.#subscription;
    } catch (error) {
      this.#subscription = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    const subscription = this.#subscription;
    this.#subscription = undefined;
    (await subscription?.catch(() => undefined))?.();
  }

  /** Calls the listener for every change of a task, until the returned function is called. */
  watch(id: string, listener: () => void): () => void {
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers);
    watchers.add(listener);
    return () => {
      watchers.delete(listener);
      if (watchers.size === 0 && this.#watchers.get(id) === watchers) this.#watchers.delete(id);
    };
  }

  #notify(id: string): void {
    for (const listener of this.#watchers.get(id) ?? []) listener();
  }
}
