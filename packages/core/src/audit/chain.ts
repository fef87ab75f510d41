import { randomBytes } from 'node:crypto';
import { type AuditRecord, type Hash, sealRecord } from './record.ts';

/** A line that is about to be written, and where the chain stands with it. */
export interface Link {
  readonly line: string;
  readonly seq: number;
  readonly hash: string;
}

/** The chain of one process: each line names the hash of the one before. */
export class Chain {
  readonly id: string = randomBytes(6).toString('hex');
  readonly #hash: Hash;
  #seq = 0;
  #prev = '';

  constructor(hash: Hash) {
    this.#hash = hash;
  }

  /** Adds a record with these members. It counts when it is kept. */
  add(kind: AuditRecord['kind'], members: string): Link {
    const seq = this.#seq + 1;
    const time = timeOfDay();
    const { line, hash } = sealRecord({ chain: this.id, seq, time, kind, prev: this.#prev }, members, this.#hash);
    this.#seq = seq;
    this.#prev = hash;
    return { line, seq, hash };
  }

  /** Where the chain stands. */
  get state(): Pick<Link, 'seq' | 'hash'> {
    return { seq: this.#seq, hash: this.#prev };
  }

  /** Goes back to where it stood: what was added since is not in the log. */
  rollBack({ seq, hash }: Pick<Link, 'seq' | 'hash'>): void {
    this.#seq = seq;
    this.#prev = hash;
  }
}

let formattedAt = 0;
let formatted = '';

/** The time of day as text, which is made once for all lines of a millisecond. */
function timeOfDay(): string {
  const now = Date.now();
  if (now !== formattedAt) {
    formattedAt = now;
    formatted = new Date(now).toISOString();
  }
  return formatted;
}
