import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { AuditFile, PartialWrite } from './file.ts';
import type { AuditOptions } from './options.ts';
import { type AuditRecord, encodeMembers, type Hash, hashWith, sealRecord } from './record.ts';

/** The minimum pause between two error reports. */
const pauseMs = 60_000;

/** Writes the records of one chain, and tracks failed writes. */
export class AuditWriter {
  readonly #chain: Chain;
  readonly #file: AuditFile | undefined;
  readonly #write: (text: string) => void;
  readonly #onError: (message: string) => void;
  /** Records about the log itself to write before the next line. */
  #pending: { kind: AuditRecord['kind']; members: string }[] = [];
  #lost = 0;
  /** The length of torn lines in bytes. */
  #torn = 0;
  #reason = '';
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(options: AuditOptions, onError: (message: string) => void) {
    const { file: path, key } = options;
    const hash = hashWith(key);
    this.#chain = new Chain(hash);
    this.#onError = onError;
    if (path === undefined) {
      this.#write = options.write as NonNullable<AuditOptions['write']>;
    } else {
      const file = new AuditFile(path, options);
      file.rotate({ wasRejected: false });
      this.#file = file;
      this.#write = (text) => file.write(text);
    }
    const begin = { ...this.#previousEnd(path), pid: process.pid, host: hostname(), keyed: key !== undefined };
    this.#pending.push({ kind: 'begin', members: encodeMembers(begin) });
    if (!this.append([])) throw new Error(`The audit log can't be written: ${this.#reason}`);
  }

  /** True while writes fail. */
  get isFailing(): boolean {
    return this.#lost > 0;
  }

  /** Writes records of calls, given by their members. Returns whether all were written. */
  append(calls: readonly string[]): boolean {
    const before = this.#chain.state;
    this.#rotate();
    const wasLost = this.#lost;
    const links: Link[] = [];
    for (const { kind, members } of this.#pending) links.push(this.#chain.add(kind, members));
    if (wasLost > 0) {
      const gap = { lost: wasLost, reason: this.#reason, ...(this.#torn > 0 && { torn: this.#torn }) };
      links.push(this.#chain.add('gap', encodeMembers(gap)));
    }
    const own = links.length;
    for (const members of calls) links.push(this.#chain.add('call', members));
    try {
      if (links.length > 0) this.#write(joinLines(links));
    } catch (error) {
      this.#recordFailure(error, { links, before, calls: calls.length, own });
      return false;
    }
    this.#pending = [];
    this.#lost = 0;
    this.#torn = 0;
    if (wasLost > 0) {
      this.#reportedAt = Number.NEGATIVE_INFINITY;
      this.#onError(`The audit log can be written again; ${wasLost} ${countLines(wasLost)} lost`);
    }
    return true;
  }

  /** Writes the final record and closes the file. */
  close(): void {
    this.#pending.push({ kind: 'end', members: '' });
    this.append([]);
    this.#file?.close();
  }

  #previousEnd(path: string | undefined): object {
    const end = this.#file?.end(hashWith(undefined));
    if (end === undefined || path === undefined) return {};
    const { last, torn, former } = end;
    if (last === undefined && torn > 0) {
      this.#file?.close();
      throw new Error(`${path} is no audit log, or its end is damaged: move it away, or name another file`);
    }
    return { ...(last && { after: last.record.hash }), ...(former && { former }), ...(torn > 0 && { torn }) };
  }

  #rotate(): void {
    try {
      const former = this.#file?.rotate({ wasRejected: this.isFailing });
      if (former !== undefined && this.#pending.length === 0)
        this.#pending.push({ kind: 'rotate', members: encodeMembers({ former }) });
    } catch (error) {
      this.#report(`The audit log can't go over to its next file: ${(error as Error).message}`);
    }
  }

  /** Keeps the records that were written completely; the others are lost. */
  #recordFailure(
    error: unknown,
    { links, before, calls, own }: { links: Link[]; before: Pick<Link, 'seq' | 'hash'>; calls: number; own: number },
  ): void {
    let left = error instanceof PartialWrite ? error.written : 0;
    let kept = 0;
    for (const { line } of links) {
      const length = Buffer.byteLength(line);
      if (left < length) break;
      left -= length;
      kept += 1;
    }
    this.#chain.rollBack(links[kept - 1] ?? before);
    if (kept >= this.#pending.length) this.#pending = [];
    if (kept >= own) {
      this.#lost = 0;
      this.#torn = 0;
    }
    this.#torn += left;
    this.#lost += calls === 0 ? 0 : calls - Math.max(0, kept - own);
    this.#reason = (error as Error).message;
    this.#report(
      `The audit log can't be written: ${this.#reason}; ${this.#lost} ${countLines(this.#lost)} lost so far`,
    );
  }

  #report(message: string): void {
    const now = performance.now();
    if (now - this.#reportedAt < pauseMs) return;
    this.#reportedAt = now;
    this.#onError(message);
  }
}

function joinLines(links: readonly Link[]): string {
  let text = '';
  for (const { line } of links) text += line;
  return text;
}

function countLines(count: number): string {
  return count === 1 ? 'line is' : 'lines are';
}

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
