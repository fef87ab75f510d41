import { randomBytes } from 'node:crypto';
import { type AuditRecord, type Hash, sealRecord } from './record.ts';

/** A line to be written, and the state of the chain after it. */
export interface Link {
  readonly line: string;
  readonly seq: number;
  readonly hash: string;
}

/** The hash chain of one process: each line contains the hash of the previous one. */
export class Chain {
  readonly id: string = randomBytes(6).toString('hex');
  readonly #hash: Hash;
  #seq = 0;
  #prev = '';

  constructor(hash: Hash) {
    this.#hash = hash;
  }

  /** Appends a record with these members. */
  add(kind: AuditRecord['kind'], members: string): Link {
    const seq = this.#seq + 1;
    const time = timeOfDay();
    const { line, hash } = sealRecord({ chain: this.id, seq, time, kind, prev: this.#prev }, members, this.#hash);
    this.#seq = seq;
    this.#prev = hash;
    return { line, seq, hash };
  }

  /** The current state of the chain. */
  get state(): Pick<Link, 'seq' | 'hash'> {
    return { seq: this.#seq, hash: this.#prev };
  }

  /** Restores an earlier state, after records could not be written. */
  rollBack({ seq, hash }: Pick<Link, 'seq' | 'hash'>): void {
    this.#seq = seq;
    this.#prev = hash;
  }
}

let formattedAt = 0;
let formatted = '';

/** The current time as text, formatted once per millisecond. */
function timeOfDay(): string {
  const now = Date.now();
  if (now !== formattedAt) {
    formattedAt = now;
    formatted = new Date(now).toISOString();
  }
  return formatted;
}
