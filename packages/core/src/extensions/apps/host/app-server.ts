import type { Params } from '../../../jsonrpc/message.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import { deniedError } from './app-error.ts';

const mostPages = 100;

/** Reads all pages of a list. */
export async function listAll(
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
  throw deniedError(`The list of ${list} does not end: it has more than ${mostPages} pages`);
}

/** The server of a view, the only one it can reach. A `Client` is one. */
export interface AppServer {
  request(method: string, params?: Params, options?: { signal?: AbortSignal }): Promise<object>;
  /** If present, tools are called with it. */
  callTool?(name: string, args?: Params, options?: { signal?: AbortSignal }): Promise<object>;
}
