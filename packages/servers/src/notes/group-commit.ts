import { setImmediate as nextTurn } from 'node:timers/promises';

/** The outcome of one piece of work. */
export type Outcome = { value: unknown } | { error: unknown };

/** How to run work. */
export interface GroupCommitActions<Piece> {
  /** Runs one piece in its own transaction. */
  runAlone(piece: Piece): Promise<unknown>;
  /** Runs pieces in order in one transaction, at least the first, and returns the outcome of each. */
  runTogether(pieces: readonly Piece[]): Promise<Outcome[]>;
  /** True for an error that each piece alone would hit again. */
  failsAll(error: unknown): boolean;
}

interface Waiting<Piece> {
  piece: Piece;
  settle(outcome: Outcome): void;
}

/** The maximum number of pieces per commit. */
const most = 256;

/**
 * Group commit: runs work in order, and commits concurrent pieces together, since each commit waits for the disk.
 * Acknowledges after the commit; a failed piece does not affect others.
 */
export class GroupCommit<Piece> {
  readonly #ways: GroupCommitActions<Piece>;
  #waiting: Waiting<Piece>[] = [];
  #atWork = false;

  constructor(ways: GroupCommitActions<Piece>) {
    this.#ways = ways;
  }

  /** True while work is pending or running. */
  get isBusy(): boolean {
    return this.#atWork;
  }

  add(piece: Piece): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome): void => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value));
      this.#waiting.push({ piece, settle });
      if (!this.#atWork) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#atWork = true;
    do {
      await nextTurn();
      await this.#next();
    } while (this.#waiting.length > 0);
    this.#atWork = false;
  }

  async #next(): Promise<void> {
    const group = this.#waiting.slice(0, most);
    const outcomes = group.length === 1 ? [] : await this.#together(group);
    const done = outcomes.length === 0 ? group : group.slice(0, outcomes.length);
    this.#waiting.splice(0, done.length);
    for (const [index, { piece, settle }] of done.entries()) settle(outcomes[index] ?? (await this.#alone(piece)));
  }

  /** Empty if each piece must be retried alone. */
  async #together(group: readonly Waiting<Piece>[]): Promise<Outcome[]> {
    try {
      return await this.#ways.runTogether(group.map(({ piece }) => piece));
    } catch (error) {
      return this.#ways.failsAll(error) ? group.map(() => ({ error })) : [];
    }
  }

  async #alone(piece: Piece): Promise<Outcome> {
    try {
      return { value: await this.#ways.runAlone(piece) };
    } catch (error) {
      return { error };
    }
  }
}
