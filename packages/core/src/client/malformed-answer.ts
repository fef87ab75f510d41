import { ErrorCode } from '../jsonrpc/errors.ts';
import { type ErrorResponse, isId, isObject } from '../jsonrpc/message.ts';

/** How much of a malformed answer is shown, in characters. */
const maxShown = 200;

/** Finds which request a malformed answer is for, so that the request fails at once. */
export function toMalformedAnswer(text: string): ErrorResponse | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || !isId(value.id) || 'method' in value) return undefined;
  const message = `The server's answer is malformed: ${text.trim().slice(0, maxShown)}`;
  return { jsonrpc: '2.0', id: value.id, error: { code: ErrorCode.InternalError, message } };
}
