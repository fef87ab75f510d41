import { anySignal, delay } from '../../../client/abort-signals.ts';
import { ConnectionError, HttpError, TimeoutError } from '../../../client/errors.ts';
import { ErrorCode, ProtocolError } from '../../../jsonrpc/errors.ts';

/** Maximum number of consecutive attempts. */
const mostAttempts = 10;
/** Maximum backoff delay. */
const longestPauseMs = 10 * 1000;
/** The first backoff delay; it doubles with each attempt. */
const firstPauseMs = 200;

/**
 * Retries with exponential backoff while errors are retryable; requests about tasks are idempotent. Stops when a signal
 * aborts.
 */
export async function withRetry<T>(
  ask: () => Promise<T>,
  signals: readonly AbortSignal[],
  mayPass: (error: unknown) => boolean = isRetryable,
): Promise<T> {
  const { signal, release } = anySignal(signals);
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask();
      } catch (error) {
        if (!mayPass(error) || attempt >= mostAttempts || signal.aborted) throw error;
      }
      await delay(Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs), signal);
      signal.throwIfAborted();
    }
  } finally {
    release();
  }
}

/** True if the server was unreachable or rejected the caller: that says nothing about the task. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError || error instanceof HttpError;
}

/** True for a lost connection, and for a server that is busy or has lost its store. */
function isRetryable(error: unknown): boolean {
  return isTransient(error) || (error instanceof ProtocolError && error.code === ErrorCode.InternalError);
}

/** True for a retryable error, except errors of the tool itself. */
export function isTransient(error: unknown): boolean {
  return isUnreachable(error) && !(error instanceof HttpError && error.status < 500 && error.status !== 429);
}
