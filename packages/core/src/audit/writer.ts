import { hostname } from 'node:os';
import { limits } from '../limits.ts';
import { Chain, type Link } from './chain.ts';
import { AuditFile, ShortWrite } from './file.ts';
import type { AuditOptions } from './options.ts';
import { type AuditRecord, hashWith } from './seal.ts';

const pauseMs = limits.audit.reportMs.value;

/** Writes records as lines of one chain, and knows what could not be written. */
export class AuditWriter {
  readonly #chain: Chain;
  readonly #file: AuditFile | undefined;
  readonly #write: (text: string) => void;
  readonly #complain: (message: string) => void;
  /** What has to be said of the log itself before the next line. */
  #due: { kind: AuditRecord['kind']; fields: object }[] = [];
  #lost = 0;
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
      file.turnOver();
      this.#file = file;
      this.#write = (text) => file.write(text);
    }
    const begin = { ...this.#former(path), pid: process.pid, host: hostname(), keyed: key !== undefined };
    this.#due.push({ kind: 'begin', fields: begin });
    if (!this.append([])) throw new Error(`The audit log can't be written: ${this.#reason}`);
  }

  /** True while nothing can be written. */
  get failing(): boolean {
    return this.#lost > 0;
  }

  /** Writes records of calls, all or as many as can be. Gives whether everything is written that was. */
  append(calls: readonly object[]): boolean {
    const before = this.#chain.state;
    this.#turnOver();
    const wasLost = this.#lost;
    const gap = wasLost === 0 ? [] : [{ kind: 'gap' as const, fields: { lost: wasLost, reason: this.#reason } }];
    const records = [...this.#due, ...gap, ...calls.map((fields) => ({ kind: 'call' as const, fields }))];
    const links = records.map(({ kind, fields }) => this.#chain.add(kind, fields));
    try {
      if (links.length > 0) this.#write(links.map(({ line }) => line).join(''));
    } catch (error) {
      this.#failed(error, { links, before, calls: calls.length, own: records.length - calls.length });
      return false;
    }
    this.#due = [];
    this.#lost = 0;
    if (wasLost > 0) {
      this.#complainedAt = Number.NEGATIVE_INFINITY;
      this.#complain(`The audit log can be written again; ${wasLost} ${lines(wasLost)} lost`);
    }
    return true;
  }

  /** Writes that the process ends in an orderly way, and lets the file go. */
  close(): void {
    this.#due.push({ kind: 'end', fields: {} });
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
      const former = this.#file?.turnOver();
      if (former !== undefined && this.#due.length === 0) this.#due.push({ kind: 'rotate', fields: { former } });
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
      left -= Buffer.byteLength(line);
      if (left < 0) break;
      kept += 1;
    }
    this.#chain.goBack(links[kept - 1] ?? before);
    if (kept >= this.#due.length) this.#due = [];
    if (kept >= own) this.#lost = 0;
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

function lines(count: number): string {
  return count === 1 ? 'line is' : 'lines are';
}
