import { isObject } from '../../jsonrpc/message.ts';
import { MetaKey } from '../../protocol/meta.ts';
import type { RecordedSender } from './format.ts';

/** Replaces what refers to a request; undefined removes the message's reason to exist. */
export interface ReferenceMap {
  /** Maps the id of a request, by its sender. */
  id(sender: RecordedSender, id: unknown): unknown;
  /** Maps the progress token of a request, by its sender. */
  token(sender: RecordedSender, token: unknown): unknown;
}

/**
 * Replaces ids of other requests in a message, in place: of a cancellation, of progress, of a subscription. Returns false if one of
 * them refers to nothing.
 */
export function mapReferences(from: RecordedSender, message: Record<string, unknown>, map: ReferenceMap): boolean {
  const { method, params, result } = message;
  const other = from === 'client' ? 'server' : 'client';
  const replaced = [true];
  const replace = (holder: Record<string, unknown>, name: string, value: unknown): void => {
    replaced.push(value !== undefined);
    if (value !== undefined) holder[name] = value;
  };
  if (isObject(params)) {
    if (method === 'notifications/cancelled') replace(params, 'requestId', map.id(from, params.requestId));
    if (method === 'notifications/progress') replace(params, 'progressToken', map.token(other, params.progressToken));
  }
  for (const holder of [params, result]) {
    const meta = isObject(holder) ? holder._meta : undefined;
    if (isObject(meta) && Object.hasOwn(meta, MetaKey.subscriptionId))
      replace(meta, MetaKey.subscriptionId, map.id(other, meta[MetaKey.subscriptionId]));
  }
  return replaced.every(Boolean);
}

/** The progress token of a request; undefined if it has none. */
export function progressTokenOf(params: unknown): unknown {
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) ? meta.progressToken : undefined;
}
