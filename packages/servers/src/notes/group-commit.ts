import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';

/** The outcome of one job. */
export type Outcome = { value: unknown } | { error: unknown };

/** How to run work. */
export interface GroupCommitActions<Job> {
  /** Runs one job in its own transaction. */
  runAlone(job: Job): Promise<unknown>;
  /** Runs jobs in order in one transaction, at least the first, and returns the outcome of each. */
  runTogether(jobs: readonly Job[]): Promise<Outcome[]>;
  /** True for an error that each job alone would hit again. */
  failsAll(error: unknown): boolean;
}

interface QueuedJob<Job> {
  job: Job;
  complete(outcome: Outcome): void;
}

/** The maximum number of jobs per commit. */
const maxGroupSize = 256;

/**
 * Group commit: runs jobs in order, and commits concurrent ones together, because each commit waits for the disk.
 * Acknowledges after the commit; a failed job does not affect others.
 */
export class GroupCommit<Job> {
  readonly #actions: GroupCommitActions<Job>;
  #queue: QueuedJob<Job>[] = [];
  #isRunning = false;

  constructor(actions: GroupCommitActions<Job>) {
    this.#actions = actions;
  }

  /** True while jobs are queued or running. */
  get isBusy(): boolean {
    return this.#isRunning;
  }

  add(job: Job): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const complete = (outcome: Outcome): void =>
        'error' in outcome ? reject(outcome.error) : resolve(outcome.value);
      this.#queue.push({ job, complete });
      if (!this.#isRunning) void this.#runQueue();
    });
  }

  async #runQueue(): Promise<void> {
    this.#isRunning = true;
    do {
      await nextEventLoopTurn();
      await this.#runGroup();
    } while (this.#queue.length > 0);
    this.#isRunning = false;
  }

  async #runGroup(): Promise<void> {
    const group = this.#queue.slice(0, maxGroupSize);
    const outcomes = group.length === 1 ? [] : await this.#runTogether(group);
    const done = outcomes.length === 0 ? group : group.slice(0, outcomes.length);
    this.#queue.splice(0, done.length);
    for (const [index, { job, complete }] of done.entries()) complete(outcomes[index] ?? (await this.#runAlone(job)));
  }

  /** Empty if each job must be retried alone. */
  async #runTogether(group: readonly QueuedJob<Job>[]): Promise<Outcome[]> {
    try {
      return await this.#actions.runTogether(group.map(({ job }) => job));
    } catch (error) {
      return this.#actions.failsAll(error) ? group.map(() => ({ error })) : [];
    }
  }

  async #runAlone(job: Job): Promise<Outcome> {
    try {
      return { value: await this.#actions.runAlone(job) };
    } catch (error) {
      return { error };
    }
  }
}
