import type { ToolCalls } from './calls/tool-calls.ts';
import type { Connection } from './connection/connection.ts';

/** The internals of a client, for extensions of this library only. */
export interface ClientInternals {
  readonly connection: Connection;
  readonly toolCalls: ToolCalls;
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
