import { isObject, type Params } from '../../../jsonrpc/message.ts';
import type { AppServer } from './app-server.ts';
import { denied } from './refusals.ts';

const mostPages = 100;

/** All rows of a list of the server, page by page. */
export async function allRows(
  server: AppServer,
  list: 'tools' | 'resources',
  signal?: AbortSignal,
): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  let params: Params = {};
  for (let page = 0; page < mostPages; page++) {
    const result = await server.request(`${list}/list`, params, signal === undefined ? {} : { signal });
    const { [list]: rows, nextCursor } = result as Record<string, unknown>;
    if (Array.isArray(rows)) all.push(...rows.filter(isObject));
    if (typeof nextCursor !== 'string') return all;
    params = { cursor: nextCursor };
  }
  throw denied(`The list of ${list} does not end: it has more than ${mostPages} pages`);
}
