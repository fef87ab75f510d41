import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';

/** The error for a result that is too long. The caller gets this message; the log has advice for the author. */
export class ResultTooLarge extends ProtocolError {
  override name = 'ResultTooLarge';

  constructor(what: string, maxResult: number) {
    const advice =
      'Return it in parts that the caller can ask for, or a link to a resource; ' +
      'or allow more with "maxResult" of createServer';
    super(
      ErrorCode.InternalError,
      `The result of ${what} is too large: more than ${maxResult} characters. Ask for less at a time`,
      undefined,
      { cause: new Error(advice) },
    );
  }
}

/** Rejects a long result before it is serialized, since each copy would take as much memory again. */
export function assertFits(value: unknown, what: string, maxResult: number): void {
  if (remainingLength(value, maxResult) < 0) throw new ResultTooLarge(what, maxResult);
}

/** Throws for a notification or question that is too long to be sent. */
export function assertTellable(value: unknown, what: string, maxResult: number): void {
  if (remainingLength(value, maxResult) >= 0) return;
  throw new TypeError(`${what} is too large: more than ${maxResult} characters, see "maxResult" of createServer`);
}

/** Objects nested deeper are left to `JSON.stringify`, which may reject them. */
const DEEPEST = 500;

/**
 * Estimates the characters left of a limit after a value is serialized as JSON. Stops and returns a negative number
 * when it does not fit.
 */
export function remainingLength(value: unknown, room: number, depth = 0): number {
  if (typeof value === 'string') return room - value.length;
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return room - 1;
  // As contents of a resource, bytes become base64; elsewhere they are serialized as numbers.
  if (ArrayBuffer.isView(value)) return room - value.byteLength * (depth === 0 ? 4 / 3 : 2);
  let left = room - 2;
  if (Array.isArray(value)) {
    for (let each = 0; each < value.length && left >= 0; each++)
      left = remainingLength(value[each], left - 1, depth + 1);
    return left;
  }
  for (const member in value) {
    left = remainingLength((value as Record<string, unknown>)[member], left - member.length - 4, depth + 1);
    if (left < 0) break;
  }
  return left;
}

/** Maximum size of a log message or a progress text, in characters; a longer one is truncated. */
const maxLogData = 1024 * 1024;
const KEPT = 1000;

/** Truncates data that is too long for the log. */
export function boundedData(data: unknown): unknown {
  if (typeof data === 'string') return boundedText(data);
  if (typeof data !== 'object' || data === null || remainingLength(data, maxLogData) >= 0) return data;
  return `Left out: more than ${maxLogData} characters`;
}

/** The text of a notification, truncated where it is too long. */
export function boundedText(text: string): string {
  if (text.length <= maxLogData) return text;
  return `${text.slice(0, KEPT)}… (cut: ${text.length} characters are more than ${maxLogData})`;
}
