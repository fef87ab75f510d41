import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { type AuditRecord, findRecord, type Hash, hashWith, isTornRecord } from './record.ts';

/** Options of `verifyAudit`. */
export interface VerifyOptions {
  /** The secret it was written with, if any. */
  key?: string;
  /** The hash of a line that must exist. Detects a truncated log. */
  expect?: string;
}

/** A problem of a log. */
export interface AuditProblem {
  readonly file: string;
  readonly line: number;
  readonly what: 'changed' | 'removed' | 'inserted' | 'moved' | 'missing';
  readonly message: string;
}

/** The result of the verification. */
export interface AuditReport {
  /** The number of records, of calls and of the log itself. */
  readonly lines: number;
  readonly calls: number;
  /** The number of processes that wrote the log. */
  readonly chains: number;
  /** The hash of its last line, to detect a later truncation. */
  readonly head: string | undefined;
  readonly problems: readonly AuditProblem[];
  /** Explained gaps: lines that were lost or torn in a crash, and missing older files. */
  readonly notes: readonly string[];
}

/** The maximum number of reported problems. */
const mostProblems = 100;
const mostRecent = 10_000;
/** No record is longer. */
const longestLine = 1024 * 1024;
const noRecord = 'it is no record, and no process says that it was torn';

interface Place {
  readonly file: string;
  readonly line: number;
}

/** Missing sequence numbers of a chain, until they occur elsewhere. */
interface Hole extends Place {
  readonly missing: Set<number>;
}

/** A line that is not a record, until another record explains it as torn. */
interface TornLine extends Place {
  readonly bytes: number;
}

interface ChainState {
  seq: number;
  /** The hashes that the next line may refer to: two if two lines have the same number. */
  hashes: string[];
  at: Place;
  holes: Hole[];
}

/** Verifies the files of an audit log, the oldest first: finds lines that were changed, removed, inserted or moved. */
export async function verifyAudit(files: readonly string[], options: VerifyOptions = {}): Promise<AuditReport> {
  const check = new Check(hashWith(options.key), options.expect);
  for (const file of files) {
    let number = 0;
    for await (const line of linesOf(file)) check.line(line, { file: basename(file), line: (number += 1) });
  }
  return check.report();
}

class Check {
  readonly #hash: Hash;
  readonly #expect: string | undefined;
  readonly #chains = new Map<string, ChainState>();
  /**
   * Recent hashes: enough for the lines other processes write between a process reading the end of the file and writing
   * its first line.
   */
  readonly #recent = new Set<string>();
  readonly #torn: TornLine[] = [];
  readonly #problems: AuditProblem[] = [];
  readonly #notes: string[] = [];
  #lines = 0;
  #calls = 0;
  #head: string | undefined;
  #isExpectedThere = false;
  #last: Place = { file: '', line: 0 };

  constructor(hash: Hash, expect: string | undefined) {
    this.#hash = hash;
    this.#expect = expect;
  }

  line(line: Line, at: Place): void {
    const { text } = line;
    this.#last = at;
    const found = findRecord(text, this.#hash);
    if (found === undefined) {
      this.#notRecord(line, at);
      return;
    }
    if (found.at > 0) this.#textBeforeRecord(text.slice(0, found.at), at);
    this.#explainTorn(found.record);
    this.#record(found.record, found.intact, at);
  }

  /**
   * Text before a record on its line was inserted, unless it is a torn record: a process died while it wrote that, and another
   * one continued the line. NUL bytes are left only if all processes ended; the next one begins a new line.
   */
  #textBeforeRecord(text: string, at: Place): void {
    if (isTornRecord(text) && !text.startsWith('\0') && text.length < longestLine)
      this.#note(`${formatPlace(at)} begins with a torn record`);
    else this.#problem(at, 'inserted', 'what stands before its record is none');
  }

  /**
   * A line that is not a record was inserted, unless it is torn: the last line, or one that another record explains.
   */
  #notRecord({ text, bytes, isEnded }: Line, at: Place): void {
    if (!isTornRecord(text) || bytes >= longestLine) this.#problem(at, 'inserted', noRecord);
    else if (isEnded) this.#torn.push({ ...at, bytes });
    else this.#note(`${formatPlace(at)} is no whole record: it was torn when a process or a disk failed`);
  }

  /** Matches torn lines with a record that states their length, the latest first. */
  #explainTorn({ kind, torn }: AuditRecord): void {
    if (typeof torn !== 'number' || (kind !== 'begin' && kind !== 'gap')) return;
    let left = torn;
    for (const [index, { bytes, ...at }] of [...this.#torn.entries()].toReversed()) {
      if (bytes > left) continue;
      left -= bytes;
      this.#torn.splice(index, 1);
      if (bytes > 0) this.#note(`${formatPlace(at)} is no whole record: it was torn when a process or a disk failed`);
    }
  }

  report(): AuditReport {
    for (const { bytes: _, ...at } of this.#torn) this.#problem(at, 'inserted', noRecord);
    for (const [id, { holes }] of this.#chains) {
      for (const { missing, ...at } of holes) {
        if (missing.size > 0)
          this.#problem(at, 'removed', `${countLines(missing.size)} before it, of chain ${id}, missing`);
      }
    }
    if (this.#expect !== undefined && !this.#isExpectedThere) {
      this.#problem(
        this.#last,
        'missing',
        `no line has the hash ${this.#expect}: the end was cut off, or all was written anew`,
      );
    }
    return {
      lines: this.#lines,
      calls: this.#calls,
      chains: this.#chains.size,
      head: this.#head,
      problems: this.#problems.toSorted(
        (a, b) => a.file.localeCompare(b.file, 'en', { numeric: true }) || a.line - b.line,
      ),
      notes: this.#notes,
    };
  }

  #record(record: AuditRecord, intact: boolean, at: Place): void {
    this.#lines += 1;
    if (record.kind === 'call') this.#calls += 1;
    this.#head = record.hash;
    if (record.hash === this.#expect && intact) this.#isExpectedThere = true;
    if (!intact) this.#problem(at, 'changed', 'its hash is not that of its contents');
    this.#noteRecord(record, at);
    const chain = this.#chains.get(record.chain);
    if (chain === undefined) this.#first(record, at);
    else this.#next(chain, record, at);
    this.#recent.add(record.hash);
    if (this.#recent.size > mostRecent) this.#recent.delete(this.#recent.values().next().value as string);
  }

  /** Notes what a record says about the log itself. */
  #noteRecord({ kind, lost, torn, after, former }: AuditRecord, at: Place): void {
    if (kind === 'gap' && typeof lost === 'number')
      this.#note(`${formatPlace(at)}: ${countLines(lost)} before it could not be written`);
    if (kind !== 'begin') return;
    if (typeof torn === 'number')
      this.#note(`${formatPlace(at)}: the line before it was torn, ${torn} bytes are left of it`);
    if (typeof after !== 'string' || this.#recent.has(after)) return;
    // A missing older file can't be checked.
    if (typeof former === 'string' && this.#lines === 1)
      this.#note(`${formatPlace(at)} follows ${former}, which is not here`);
    else this.#problem(at, 'removed', 'the line that was the last when this one was written is missing');
  }

  #first({ chain, seq, hash, kind }: AuditRecord, at: Place): void {
    if (seq > 1 && kind === 'rotate')
      this.#note(`${formatPlace(at)}: chain ${chain} goes on from an older file, which is not here`);
    else if (seq > 1) this.#problem(at, 'removed', `${countLines(seq - 1)} before it, of chain ${chain}, missing`);
    this.#chains.set(chain, { seq, hashes: [hash], at, holes: [] });
  }

  #next(chain: ChainState, { seq, prev, hash }: AuditRecord, at: Place): void {
    if (seq === chain.seq + 1) {
      if (!chain.hashes.includes(prev)) {
        this.#problem(
          chain.at,
          'changed',
          `it was changed and sealed anew: ${formatPlace(at)} names another hash for it`,
        );
      }
      Object.assign(chain, { seq, hashes: [hash], at });
    } else if (seq > chain.seq) {
      const missing = new Set<number>();
      for (let number = chain.seq + 1; number < seq && missing.size < 10_000; number += 1) missing.add(number);
      chain.holes.push({ ...at, missing });
      Object.assign(chain, { seq, hashes: [hash], at });
    } else if (chain.holes.some(({ missing }) => missing.delete(seq))) {
      this.#problem(at, 'moved', `number ${seq} of its chain stands behind number ${chain.seq}`);
    } else {
      this.#problem(at, 'inserted', `there is another line with number ${seq} of its chain: one of them was inserted`);
      if (seq === chain.seq) chain.hashes.push(hash);
    }
  }

  #problem({ file, line }: Place, what: AuditProblem['what'], message: string): void {
    if (this.#problems.length < mostProblems) this.#problems.push({ file, line, what, message });
  }

  #note(text: string): void {
    if (this.#notes.length < mostProblems) this.#notes.push(text);
  }
}

function formatPlace({ file, line }: Place): string {
  return `${file}:${line}`;
}

function countLines(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

/** A line without its newline; the last line of a file may have none. */
interface Line {
  readonly text: string;
  readonly bytes: number;
  readonly isEnded: boolean;
}

/** The lines of a file. Truncates lines that are far too long. */
async function* linesOf(file: string): AsyncGenerator<Line> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a)) {
      yield { text: bytes.toString('utf8', 0, end), bytes: end, isEnded: true };
      bytes = bytes.subarray(end + 1);
    }
    rest = Buffer.from(bytes.subarray(0, longestLine));
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), bytes: rest.length, isEnded: false };
}
