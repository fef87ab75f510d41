import { isObject } from '../../jsonrpc/message.ts';
import { truncate } from '../../jsonrpc/text.ts';
import type { RecordedMessage } from './format.ts';
import { safeStringify } from './safe-stringify.ts';

/** A parsed message. */
export interface ParsedMessage {
  /** Text of this message alone. */
  readonly text: string;
  readonly kind: RecordedMessage['kind'];
  readonly id?: string | number;
  readonly method?: string;
  readonly subject?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** The whole message; absent if it is no JSON. */
  readonly value?: unknown;
}

const maxNameLength = 200;
const maxIdLength = 1000;

/** Parses a frame: one message, a batch, or garbage. Never throws. */
export function parseFrame(text: string): ParsedMessage[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [{ text, kind: 'broken' }];
  }
  if (!Array.isArray(value)) return [classifyMessage(value, text)];
  return value.length === 0
    ? [{ text, kind: 'broken' }]
    : value.map((each: unknown) => classifyMessage(each, safeStringify(each)));
}

function classifyMessage(value: unknown, text: string): ParsedMessage {
  if (!isObject(value)) return { text, value, kind: 'broken' };
  const { id, method, params, error } = value;
  const known = typeof id === 'number' || (typeof id === 'string' && id.length <= maxIdLength) ? { id } : {};
  const message = { text, value, ...known };
  if (typeof method === 'string') {
    const about = isObject(params) ? { params, ...subjectOf(params) } : {};
    const kind = id === undefined ? 'notification' : 'request';
    return { ...message, kind, method: truncate(method, maxNameLength), ...about };
  }
  if (error !== undefined) return { ...message, kind: 'error' };
  return { ...message, kind: 'result' in value ? 'result' : 'broken' };
}

/** Subject of a request: name of a tool or prompt, or URI of a resource. */
export function subjectOf({ name, uri, ref }: Readonly<Record<string, unknown>>): { subject?: string } {
  if (typeof name === 'string') return { subject: truncate(name, maxNameLength) };
  if (typeof uri === 'string') return { subject: truncate(uri, maxNameLength) };
  return isObject(ref) ? subjectOf({ name: ref.name, uri: ref.uri }) : {};
}
