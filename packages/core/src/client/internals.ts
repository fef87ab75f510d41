import type { Params } from '../jsonrpc/message.ts';
import type { CallToolResult, Result } from '../protocol/results.ts';
import type { Connection } from './connection/connection.ts';
import type { RequestOptions } from './request-options.ts';

/** What extensions of this library use of a client, and programs do not see. */
export interface ClientInternals {
  readonly connection: Connection;
  /** Calls a tool as `callTool` does, but gives a result of an extension's type as it is. */
  call(params: Params, options: RequestOptions): Promise<Result>;
  /** Fails where the results of a tool could not be checked. */
  prepare(name: string): void;
  /** Gives a tool's final result, if it is what the tool promised. */
  finish(name: string, result: Result): CallToolResult | Promise<CallToolResult>;
}

const internalsByClient = new WeakMap<object, ClientInternals>();

/** Keeps what is inside of a client, for as long as the client is used. */
export function setInternals(client: object, inside: ClientInternals): void {
  internalsByClient.set(client, inside);
}

/** What is inside of a client that `connect` made. */
export function internalsOf(client: object): ClientInternals {
  const inside = internalsByClient.get(client);
  if (inside === undefined) throw new TypeError('This is no client that "connect" made');
  return inside;
}
