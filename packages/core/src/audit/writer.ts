import { hostname } from 'node:os';
import { limits } from '../limits.ts';
import { Chain, type Link } from './chain.ts';
import { AuditFile, ShortWrite } from './file.ts';
import type { AuditOptions } from './options.ts';
import { type AuditRecord, hashWith, membersOf } from './seal.ts';

const pauseMs = limits.audit.reportMs.value;

/** Writes records as lines of one chain, and knows what could not be written. */
export class AuditWriter {
  readonly #chain: Chain;
  readonly #file: AuditFile | undefined;
  readonly #write: (text: string) => void;
  readonly #complain: (message: string) => void;
  /** What has to be said of the log itself before the next line. */
  #due: { kind: AuditRecord['kind']; members: string }[] = [];
  #lost = 0;
  /** Bytes of lines that were not written to their end. */
  #torn = 0;
  #reason = '';
  #complainedAt = Number.NEGATIVE_INFINITY;

  constructor(options: AuditOptions, complain: (message: string) => void) {
    const { file: path, key } = options;
    const hash = hashWith(key);
    this.#chain = new Chain(hash);
    this.#complain = complain;
    if (path === undefined) {
      this.#write = options.write as NonNullable<AuditOptions['write']>;
    } else {
      const file = new AuditFile(path, options);
      file.turnOver({ wasRefused: false });
      this.#file = file;
      this.#write = (text) => file.write(text);
    }
    const begin = { ...this.#former(path), pid: process.pid, host: hostname(), keyed: key !== undefined };
    this.#due.push({ kind: 'begin', members: membersOf(begin) });
    if (!this.append([])) throw new Error(`The audit log can't be written: ${this.#reason}`);
  }

  /** True while nothing can be written. */
  get failing(): boolean {
    return this.#lost > 0;
  }

  /** Writes records of calls, given by their members: all or as many as can be. Gives whether everything is written. */
  append(calls: readonly string[]): boolean {
    const before = this.#chain.state;
    this.#turnOver();
    const wasLost = this.#lost;
    const links: Link[] = [];
    for (const { kind, members } of this.#due) links.push(this.#chain.add(kind, members));
    if (wasLost > 0) {
      const gap = { lost: wasLost, reason: this.#reason, ...(this.#torn > 0 && { torn: this.#torn }) };
      links.push(this.#chain.add('gap', membersOf(gap)));
    }
    const own = links.length;
    for (const members of calls) links.push(this.#chain.add('call', members));
    try {
      if (links.length > 0) this.#write(textOf(links));
    } catch (error) {
      this.#failed(error, { links, before, calls: calls.length, own });
      return false;
    }
    this.#due = [];
    this.#lost = 0;
    this.#torn = 0;
    if (wasLost > 0) {
      this.#complainedAt = Number.NEGATIVE_INFINITY;
      this.#complain(`The audit log can be written again; ${wasLost} ${lines(wasLost)} lost`);
    }
    return true;
  }

  /** Writes that the process ends in an orderly way, and lets the file go. */
  close(): void {
    this.#due.push({ kind: 'end', members: '' });
    this.append([]);
    this.#file?.close();
  }

  #former(path: string | undefined): object {
    const end = this.#file?.end(hashWith(undefined));
    if (end === undefined || path === undefined) return {};
    const { last, torn, former } = end;
    if (last === undefined && torn > 0) {
      this.#file?.close();
      throw new Error(`${path} is no audit log, or its end is damaged: move it away, or name another file`);
    }
    return { ...(last && { after: last.record.hash }), ...(former && { former }), ...(torn > 0 && { torn }) };
  }

  #turnOver(): void {
    try {
      const former = this.#file?.turnOver({ wasRefused: this.failing });
      if (former !== undefined && this.#due.length === 0)
        this.#due.push({ kind: 'rotate', members: membersOf({ former }) });
    } catch (error) {
      this.#tell(`The audit log can't go over to its next file: ${(error as Error).message}`);
    }
  }

  /** What was written as a whole counts, the rest is lost. */
  #failed(
    error: unknown,
    { links, before, calls, own }: { links: Link[]; before: Pick<Link, 'seq' | 'hash'>; calls: number; own: number },
  ): void {
    let left = error instanceof ShortWrite ? error.written : 0;
    let kept = 0;
    for (const { line } of links) {
      const length = Buffer.byteLength(line);
      if (left < length) break;
      left -= length;
      kept += 1;
    }
    this.#chain.goBack(links[kept - 1] ?? before);
    if (kept >= this.#due.length) this.#due = [];
    if (kept >= own) {
      this.#lost = 0;
      this.#torn = 0;
    }
    this.#torn += left;
    this.#lost += calls === 0 ? 0 : calls - Math.max(0, kept - own);
    this.#reason = (error as Error).message;
    this.#tell(`The audit log can't be written: ${this.#reason}; ${this.#lost} ${lines(this.#lost)} lost so far`);
  }

  #tell(message: string): void {
    const now = performance.now();
    if (now - this.#complainedAt < pauseMs) return;
    this.#complainedAt = now;
    this.#complain(message);
  }
}

function textOf(links: readonly Link[]): string {
  let text = '';
  for (const { line } of links) text += line;
  return text;
}

function lines(count: number): string {
  return count === 1 ? 'line is' : 'lines are';
}
