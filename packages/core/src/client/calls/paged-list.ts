import { exceeds, jsonLength } from '../../jsonrpc/size.ts';
import type { Result } from '../../protocol/results.ts';
import { ResultError } from '../errors.ts';

/** A list of the server: rows over all pages with `for await`, or the whole list with `all`. */
export interface Listing<T> extends AsyncIterable<T> {
  /** The whole list. If it is too long, `result` of the error has the rows read so far. */
  all(): Promise<T[]>;
  /** The pages as the server sends them. */
  pages(): AsyncIterable<T[]>;
}

/** Fetches a page; without a cursor, the first one. */
export type FetchPage = (cursor: string | undefined) => Promise<Result>;

/** The maximum pages of a list. */
const maxPages = 10_000;
/** The maximum rows of a complete list. */
const maxRows = 1_000_000;
/** The maximum length of a complete list after its first page, in characters. */
const maxLength = 64 * 1024 * 1024;
/** The maximum nesting depth of a list, including schemas. */
const maxDepth = 1000;
/** The maximum length of a cursor, in characters. */
const maxCursorLength = 8192;

/** Creates a listing of the rows under `member` of each page. Pages are fetched lazily. */
export function createListing<T>(member: string, fetchPage: FetchPage): Listing<T> {
  async function* pages(): AsyncGenerator<T[], void, undefined> {
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await fetchPage(cursor);
      const rows = page[member];
      if (!Array.isArray(rows)) throw new ResultError(`The server's list has no "${member}"`, page);
      if (exceeds(rows, { length: Number.POSITIVE_INFINITY, depth: maxDepth })) {
        throw new ResultError(`The server's list of ${member} is nested deeper than ${maxDepth} levels`);
      }
      yield rows as T[];
      cursor = typeof page.nextCursor === 'string' ? page.nextCursor : undefined;
      if (cursor === undefined) return;
      if (cursor.length > maxCursorLength) {
        throw new ResultError(`The server's cursor is longer than ${maxCursorLength} characters`, page);
      }
      if (seen.has(cursor)) throw new ResultError('The server returned the same page twice', page);
      seen.add(cursor);
    } while (seen.size < maxPages);
    throw new ResultError(`The server's list does not end: it has more than ${maxPages} pages`);
  }
  return {
    pages,
    all: () => collectAll(pages(), member),
    async *[Symbol.asyncIterator]() {
      for await (const rows of pages()) yield* rows;
    },
  };
}

async function collectAll<T>(pages: AsyncIterable<T[]>, member: string): Promise<T[]> {
  const all: T[] = [];
  let length = 0;
  let isFirst = true;
  try {
    for await (const rows of pages) {
      // The first page is bounded by the maximum message length.
      if (!isFirst) length += jsonLength(rows);
      isFirst = false;
      for (const row of rows) all.push(row);
      if (all.length > maxRows) throw tooLong(`${maxRows} rows`);
      if (length > maxLength) throw tooLong(`${maxLength} characters`);
    }
    return all;
  } catch (error) {
    if (!(error instanceof ResultError)) throw error;
    throw new ResultError(error.message, { [member]: all }, { cause: error });
  }
}

function tooLong(most: string): ResultError {
  return new ResultError(`The server's list is longer than ${most}: read it page by page, with pages()`);
}
