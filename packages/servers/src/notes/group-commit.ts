import { setImmediate as nextTurn } from 'node:timers/promises';

/** What became of one piece of work. */
export type Outcome = { value: unknown } | { error: unknown };

/** How pieces of work are done. */
export interface GroupCommitActions<Piece> {
  /** Does one piece, with a commit of its own. */
  runAlone(piece: Piece): Promise<unknown>;
  /** Does pieces in their order with one commit, the first of them at least, and gives what became of each it did. */
  runTogether(pieces: readonly Piece[]): Promise<Outcome[]>;
  /** True for a failure of all together that each alone would meet again. */
  failsAll(error: unknown): boolean;
}

interface Waiting<Piece> {
  piece: Piece;
  settle(outcome: Outcome): void;
}

/** So many pieces have one commit at most. */
const most = 256;

/**
 * Does pieces of work in the order they came. What comes in one turn, or while others are being done, is committed
 * together: a commit waits for the disk. Nothing is acknowledged before its commit, and a piece that fails harms no other.
 */
export class GroupCommit<Piece> {
  readonly #ways: GroupCommitActions<Piece>;
  #waiting: Waiting<Piece>[] = [];
  #atWork = false;

  constructor(ways: GroupCommitActions<Piece>) {
    this.#ways = ways;
  }

  /** True as long as something waits or is being done. */
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

  /** Gives nothing where each has to be tried alone. */
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
