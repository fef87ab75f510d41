import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  openSync,
  readdirSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
  readSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { limits } from '../../limits.ts';
import type { AuditOptions } from './options.ts';
import { findRecord, type Hash, type ParsedRecord } from './record.ts';

/** The maximum length of the file end that is searched for the last complete line, in bytes. */
const maxTail = 1024 * 1024;

/** The end of a file. */
interface FileEnd {
  /** The last complete record; undefined if there is none. */
  readonly last?: ParsedRecord;
  /** The length of a torn line after it, in bytes. */
  readonly torn: number;
  /** True if the file does not end with a newline. */
  readonly open: boolean;
}

/** Finds the last complete record of a file of this size. */
function readFileEnd(fd: number, size: number, hash: Hash): FileEnd {
  const length = Math.min(size, maxTail);
  const bytes = Buffer.alloc(length);
  let read = 0;
  for (let got = 1; read < length && got > 0; read += got) {
    got = readSync(fd, bytes, read, length - read, size - length + read);
  }
  const open = read > 0 && bytes[read - 1] !== 0x0a;
  let end = read;
  while (end > 0) {
    const from = bytes.lastIndexOf(0x0a, end - 2) + 1;
    const line = bytes.toString('utf8', from, end).replace(/\n$/, '');
    const last = findRecord(line, hash);
    if (last !== undefined) return { last, torn: read - end, open };
    end = from;
  }
  return { torn: read, open };
}

/** How often to check whether another program has moved the file. */
const checkMs = 1000;
/** An older lock file is stale. */
const staleMs = 10_000;
/** The delay before a failed rotation is retried. */
const retryMs = 60_000;
/** How long to wait for another process to finish a line, and in how many steps. */
const settle = { ms: 250, steps: 50 };

/** Thrown if only a part could be written. */
export class PartialWrite extends Error {
  constructor(
    readonly written: number,
    cause: unknown,
  ) {
    super((cause as Error).message, { cause });
  }
}

/** The file of an audit log: append-only, with rotation. */
export class AuditFile {
  readonly path: string;
  readonly #options: AuditOptions;
  readonly #maxSize: number;
  #fd: number;
  #stats: Stats;
  #size: number;
  #checkedAt = 0;
  #notBefore = 0;
  /** The last line in the file is torn: the next one must start on a new line. */
  #isTorn = false;

  constructor(path: string, options: AuditOptions) {
    this.path = path;
    this.#options = options;
    this.#maxSize = options.maxSize ?? limits.audit.maxSize.value;
    this.#fd = openForAppend(path);
    this.#stats = fstatSync(this.#fd);
    this.#size = this.#stats.size;
  }

  /** The end of the file before this process wrote to it; for an empty file, the end of the latest rotated one. */
  end(hash: Hash): FileEnd & { readonly former?: string } {
    if (this.#size > 0) {
      const end = this.#stableEnd(hash);
      this.#isTorn = end.open;
      return end;
    }
    const former = this.#rotatedFiles().at(-1);
    if (former === undefined) return { torn: 0, open: false };
    const fd = openSync(join(dirname(this.path), former.name), 'r');
    try {
      return { ...readFileEnd(fd, fstatSync(fd).size, hash), torn: 0, former: former.name };
    } finally {
      closeSync(fd);
    }
  }

  #stableEnd(hash: Hash): FileEnd {
    let end = readFileEnd(this.#fd, this.#size, hash);
    const cell = new Int32Array(new SharedArrayBuffer(4));
    for (let step = 0; end.open && step < settle.steps; step += 1) {
      Atomics.wait(cell, 0, 0, settle.ms / settle.steps);
      this.#size = fstatSync(this.#fd).size;
      end = readFileEnd(this.#fd, this.#size, hash);
    }
    return end;
  }

  /** Appends text in one write, so that lines of other processes do not interleave. */
  write(text: string): void {
    const bytes = Buffer.from(this.#isTorn ? `\n${text}` : text);
    const extra = this.#isTorn ? 1 : 0;
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
      if (this.#options.fsync === true) fdatasyncSync(this.#fd);
    } catch (error) {
      if (written > 0) this.#isTorn = bytes[written - 1] !== 0x0a;
      throw new PartialWrite(Math.max(0, written - extra), error);
    } finally {
      this.#size += written;
    }
    this.#isTorn = false;
  }

  /**
   * Rotates the file if that is due, or follows the rotation of another process. Returns the name of the previous file.
   * After a failed write it checks at once, in case the file was moved to free space.
   */
  rotate({ wasRejected }: { wasRejected: boolean }): string | undefined {
    const now = performance.now();
    if (!wasRejected && now - this.#checkedAt < checkMs && this.#size < this.#maxSize) return undefined;
    this.#checkedAt = now;
    if (this.#wasReplaced()) {
      this.#reopen();
      return this.#rotatedFiles().at(-1)?.name ?? '';
    }
    this.#size = fstatSync(this.#fd).size;
    const { maxAgeMs = Number.POSITIVE_INFINITY } = this.#options;
    const isOld = Date.now() - (this.#stats.birthtimeMs || this.#stats.ctimeMs) >= maxAgeMs;
    if (this.#size === 0 || (this.#size < this.#maxSize && !isOld) || now < this.#notBefore) return undefined;
    this.#notBefore = now + retryMs;
    const former = this.#rotateNow();
    if (former !== undefined) this.#notBefore = 0;
    return former;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #wasReplaced(): boolean {
    try {
      const { ino, dev } = statSync(this.path);
      return ino !== this.#stats.ino || dev !== this.#stats.dev;
    } catch {
      return true;
    }
  }

  #reopen(): void {
    const fd = openForAppend(this.path);
    closeSync(this.#fd);
    this.#fd = fd;
    this.#stats = fstatSync(fd);
    this.#size = this.#stats.size;
    this.#isTorn = false;
  }

  /** Renames the file and creates a new one. One of several processes does this, the others follow. */
  #rotateNow(): string | undefined {
    const lockFile = `${this.path}.turning`;
    if (!acquireLock(lockFile)) return undefined;
    try {
      if (this.#wasReplaced()) {
        this.#reopen();
        return this.#rotatedFiles().at(-1)?.name ?? '';
      }
      const former = `${basename(this.path)}.${(this.#rotatedFiles().at(-1)?.number ?? 0) + 1}`;
      renameSync(this.path, join(dirname(this.path), former));
      this.#reopen();
      this.#drop();
      return former;
    } finally {
      unlinkSync(lockFile);
    }
  }

  #drop(): void {
    const { keep = Number.POSITIVE_INFINITY } = this.#options;
    const rotated = this.#rotatedFiles();
    for (const { name } of rotated.slice(0, Math.max(0, rotated.length - keep))) {
      unlinkSync(join(dirname(this.path), name));
    }
  }

  #rotatedFiles(): { name: string; number: number }[] {
    return listRotatedFiles(this.path);
  }
}

/** The rotated files, the oldest first. */
function listRotatedFiles(path: string): { name: string; number: number }[] {
  const own = basename(path);
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(`${own}.`) && /^[1-9]\d{0,14}$/.test(name.slice(own.length + 1)))
    .map((name) => ({ name, number: Number(name.slice(own.length + 1)) }))
    .toSorted((a, b) => a.number - b.number);
}

/** Non-blocking, in case the file was replaced by a FIFO after the check. */
const appendFlags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file only: a full FIFO would block the server. */
function openForAppend(path: string): number {
  const rejection = `The audit log ${path} can't be opened`;
  let fd: number;
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is no regular file');
    // Only readable by its owner.
    fd = openSync(path, appendFlags, 0o600);
  } catch (error) {
    throw new Error(`${rejection}: ${(error as Error).message}`, { cause: error });
  }
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Error(`${rejection}: it is no regular file`);
}

function acquireLock(lockFile: string): boolean {
  try {
    closeSync(openSync(lockFile, 'wx', 0o600));
    return true;
  } catch {
    try {
      if (Date.now() - statSync(lockFile).mtimeMs > staleMs) unlinkSync(lockFile);
    } catch {
      // The lock was released.
    }
    return false;
  }
}

/** The files of a log, the oldest first: the rotated ones, then the current one. */
export function auditFiles(file: string): string[] {
  return [...listRotatedFiles(file).map(({ name }) => join(dirname(file), name)), file];
}
