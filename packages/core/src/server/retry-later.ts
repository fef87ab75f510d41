import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';

/** The default Retry-After of an exceeded limit. */
export const retryMs = 1000;

/** The retry hint of an error. */
export interface RetryHint {
  retryAfterMs: number;
  /** Whose limit it was. */
  limit: 'caller' | 'address' | 'server';
}

/** The error of a request that may be retried later. */
export function retryLater(message: string, hint: RetryHint, options?: ErrorOptions): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, message, hint, options);
}
