import type { Result } from '../protocol/results.ts';
import { ResultError } from './errors.ts';

/** A list of the server: row by row over all of its pages with `for await`, or whole with `all`. */
export interface Listing<T> extends AsyncIterable<T> {
  /** The whole list. */
  all(): Promise<T[]>;
  /** The list page by page, as the server cuts it. */
  pages(): AsyncIterable<T[]>;
}

/** How a page is fetched: the first without a cursor. */
export type FetchPage = (cursor: string | undefined) => Promise<Result>;

/** Makes a listing of the rows that stand under `member` in each page. Nothing is fetched before it is wanted. */
export function listing<T>(member: string, fetchPage: FetchPage): Listing<T> {
  async function* pages(): AsyncGenerator<T[], void, undefined> {
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await fetchPage(cursor);
      const rows = page[member];
      if (!Array.isArray(rows)) throw new ResultError(`The server's list has no "${member}"`, page);
      yield rows as T[];
      cursor = typeof page.nextCursor === 'string' ? page.nextCursor : undefined;
      if (cursor !== undefined && seen.has(cursor)) throw new ResultError('The server gave the same page twice', page);
      if (cursor !== undefined) seen.add(cursor);
    } while (cursor !== undefined);
  }
  return {
    pages,
    async all() {
      const all: T[] = [];
      for await (const rows of pages()) all.push(...rows);
      return all;
    },
    async *[Symbol.asyncIterator]() {
      for await (const rows of pages()) yield* rows;
    },
  };
}
