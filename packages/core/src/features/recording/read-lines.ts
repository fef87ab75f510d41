import type { FileHandle } from 'node:fs/promises';

/** Maximum length of a line, in bytes. Longer ones are skipped. */
const maxLine = 64 * 1024 * 1024;

const lineFeed = 10;

/** A line of a file, and where it is. */
export interface FileLine {
  /** Counted from 1. */
  readonly number: number;
  readonly offset: number;
  readonly length: number;
  /** Undefined: it is too long. */
  readonly text: string | undefined;
  /** False for a last line without a line break. */
  readonly isComplete: boolean;
}

/** Reads the lines of a file of any size with bounded memory. */
export async function* readLines(file: FileHandle): AsyncGenerator<FileLine, void, undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  let offset = 0;
  let number = 0;
  const take = (isComplete: boolean): FileLine => {
    number += 1;
    const text = length > maxLine ? undefined : Buffer.concat(parts).toString('utf8');
    const line = { number, offset, length, text, isComplete };
    offset += length + 1;
    parts = [];
    length = 0;
    return line;
  };
  const add = (part: Buffer): void => {
    length += part.length;
    if (length > maxLine) parts = [];
    else parts.push(part);
  };
  for await (const chunk of file.createReadStream({ autoClose: false, start: 0 }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      add(chunk.subarray(from, end));
      yield take(true);
      from = end + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  }
  if (length > 0) yield take(false);
}
