import { ErrorCode, type ErrorBody, quoteBriefly } from './errors.ts';
import { findDuplicateMembers } from './duplicate-members.ts';

/** A request id, unchanged: `1` and `"1"` are different ids. */
export type RequestId = string | number;

/** The params of a request or notification, by name. */
export type Params = Record<string, unknown>;

/** A message that expects a response. */
export interface Request {
  jsonrpc: '2.0';
  id: RequestId;
  method: string;
  params?: Params;
}

/** A message without a response. */
export interface Notification {
  jsonrpc: '2.0';
  method: string;
  params?: Params;
}

/** The answer to a request that succeeded. */
export interface ResultResponse {
  jsonrpc: '2.0';
  id: RequestId;
  result: object;
}

/** `id` is null only if the id of the request could not be read. */
export interface ErrorResponse {
  jsonrpc: '2.0';
  id: RequestId | null;
  error: ErrorBody;
}

/** The response to a request. */
export type Response = ResultResponse | ErrorResponse;

/** Any JSON-RPC message. */
export type Message = Request | Notification | Response;

/**
 * A classified message. `invalid` carries the error response; for a notification, only transports that answer every
 * message, such as HTTP, send it.
 */
export type Classified =
  | { kind: 'request'; message: Request }
  | { kind: 'notification'; message: Notification }
  | { kind: 'response'; message: Response }
  | { kind: 'invalid'; answer: ErrorResponse; isNotification?: true };

/** A parsed text: one message or a batch. */
export type Parsed = Classified | { kind: 'batch'; items: Classified[] };

/** Parses and classifies a text, without the fast path of `parse`. Never throws. */
export function parseMessage(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return invalid(null, ErrorCode.ParseError, `Parse error: ${(error as Error).message}`);
  }
  const repeated = findDuplicateMembers(text, value);
  if (!Array.isArray(value)) return repeated === undefined ? classify(value) : ambiguous(value, repeated.get(0));
  if (value.length === 0) return invalid(null, ErrorCode.InvalidRequest, 'Invalid request: the batch is empty');
  return { kind: 'batch', items: value.map((item, index) => classifyItem(item, repeated?.get(index))) };
}

function classifyItem(item: unknown, repeated: string | undefined): Classified {
  return repeated === undefined ? classify(item) : ambiguous(item, repeated);
}

function ambiguous(value: unknown, name = ''): Classified {
  const id = isObject(value) && isId(value.id) && name !== 'id' ? value.id : null;
  const what = `the member ${quoteBriefly(name)} stands twice in one object`;
  return invalid(id, ErrorCode.InvalidRequest, `Invalid request: ${what}`);
}

/** Classifies a parsed value. */
export function classify(value: unknown): Classified {
  if (!isObject(value)) {
    return invalid(null, ErrorCode.InvalidRequest, 'Invalid request: a message is a JSON object');
  }
  const id = isId(value.id) ? value.id : null;
  if (value.jsonrpc !== '2.0') {
    return invalid(id, ErrorCode.InvalidRequest, 'Invalid request: "jsonrpc" must be "2.0"');
  }
  if (value.method === undefined) return classifyResponse(value, id);
  if (typeof value.method !== 'string') {
    return invalid(id, ErrorCode.InvalidRequest, 'Invalid request: "method" must be a string');
  }
  const isNotification = value.id === undefined;
  if (id === null && !isNotification) {
    return invalid(
      id,
      ErrorCode.InvalidRequest,
      'Invalid request: "id" must be a string or an integer of at most 2^53 - 1',
    );
  }
  if (value.params !== undefined && !isObject(value.params)) {
    const problem = invalid(id, ErrorCode.InvalidParams, 'Invalid params: "params" must be an object');
    return isNotification ? { ...problem, isNotification } : problem;
  }
  if (isNotification) return { kind: 'notification', message: value as unknown as Notification };
  return { kind: 'request', message: value as unknown as Request };
}

function classifyResponse(value: Record<string, unknown>, id: RequestId | null): Classified {
  const { result, error } = value;
  if (result === undefined && error === undefined) {
    return invalid(id, ErrorCode.InvalidRequest, 'Invalid request: "method" is missing');
  }
  const wellFormed =
    error === undefined
      ? id !== null && isObject(result)
      : result === undefined && isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string';
  if (!wellFormed) return invalid(id, ErrorCode.InvalidRequest, 'Invalid request: malformed response');
  return { kind: 'response', message: value as unknown as Response };
}

function invalid(id: RequestId | null, code: number, message: string): Classified & { kind: 'invalid' } {
  return { kind: 'invalid', answer: { jsonrpc: '2.0', id, error: { code, message } } };
}

/** True for a valid request id. */
export function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** True for `{…}`, false for arrays and null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A result that is already serialized, such as a cached list. */
class Prepared {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** A result that is already serialized, such as a cached list. */
export type PreparedResult = Prepared;

const shared = globalThis as { [key: symbol]: unknown };
const key = Symbol.for('@ccmcp/core PreparedResult');

/** One class for all copies of this library: middleware of one may read the lists of a server of another. */
export const PreparedResult = (shared[key] ??= Prepared) as typeof Prepared;

/** Serializes a message, or a batch of responses, as one line of JSON. */
export function encode(message: Message | readonly Response[]): string {
  if ('result' in message) {
    const { id, result } = message;
    const body = result instanceof PreparedResult ? result.text : JSON.stringify(result);
    return `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":${body}}`;
  }
  if (Array.isArray(message)) return `[${message.map(encode).join(',')}]`;
  return JSON.stringify(message);
}
