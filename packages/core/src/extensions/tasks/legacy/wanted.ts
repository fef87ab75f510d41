import { isObject, type Params } from '../../../jsonrpc/message.ts';
import type { Operation } from '../../../server/operation.ts';
import { tasksPart } from './wire-format.ts';

/** What a client says of the task that it asks for. */
export interface WantedTask {
  /** How long it is to be kept, in milliseconds; undefined: the server decides. */
  readonly ttlMs: number | undefined;
}

/** True where a call asks for a task. */
export function isWanted({ task }: Params): boolean {
  return isObject(task);
}

/** The task that a call asks for; undefined where it asks for none, or its revision has no such thing. */
export function wantedTask({ params, parts }: Operation): WantedTask | undefined {
  if (!parts.has(tasksPart) || !isObject(params.task)) return undefined;
  const { ttl } = params.task;
  const isTime = typeof ttl === 'number' && Number.isFinite(ttl) && ttl > 0;
  return { ttlMs: isTime ? Math.ceil(ttl) : undefined };
}
