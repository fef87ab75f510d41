import type { Params } from '../jsonrpc/message.ts';
import type { CallToolResult, Result } from '../protocol/results.ts';
import type { Connection } from './connection/connection.ts';
import type { RequestOptions } from './request-options.ts';

/** The internals of a client, for extensions of this library only. */
export interface ClientInternals {
  readonly connection: Connection;
  /** Calls a tool like `callTool`, but returns a result of an extension's type as it is. */
  call(params: Params, options: RequestOptions): Promise<Result>;
  /** Throws if results of the tool could not be validated. */
  prepare(name: string): void;
  /** Returns the tool's final result if it matches the output schema. */
  finish(name: string, result: Result): CallToolResult | Promise<CallToolResult>;
}

const internalsByClient = new WeakMap<object, ClientInternals>();

/** Stores the internals of a client for its lifetime. */
export function setInternals(client: object, inside: ClientInternals): void {
  internalsByClient.set(client, inside);
}

/** The internals of a client that `connect` created. */
export function internalsOf(client: object): ClientInternals {
  const inside = internalsByClient.get(client);
  if (inside === undefined) throw new TypeError('This is not a client created by "connect"');
  return inside;
}
