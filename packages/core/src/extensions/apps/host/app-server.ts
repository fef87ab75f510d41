import type { Params } from '../../../jsonrpc/message.ts';

/** The server that a view came from, and the only one that it reaches. A `Client` is one. */
export interface AppServer {
  request(method: string, params?: Params, options?: { signal?: AbortSignal }): Promise<object>;
  /** Where there is one, tools are called by it. */
  callTool?(name: string, args?: Params, options?: { signal?: AbortSignal }): Promise<object>;
}
