import { readSync } from 'node:fs';
import { limits } from '../limits.ts';
import { findRecord, type Hash, type UnsealedRecord } from './seal.ts';

const furthest = limits.audit.tornTail.value;

/** How a file ends. */
export interface FileEnd {
  /** The last whole record; undefined where there is none. */
  readonly last?: UnsealedRecord;
  /** Bytes behind it that are no record: a line that was not written to its end. */
  readonly torn: number;
  /** True where the file does not end with a line end. */
  readonly open: boolean;
}

/** Looks for the last whole record of a file of this size. */
export function endOf(fd: number, size: number, hash: Hash): FileEnd {
  const length = Math.min(size, furthest);
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
