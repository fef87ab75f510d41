import { ProtocolError } from '@ccmcp/core';
import { ConnectionError, HttpError, ResultError, TimeoutError } from '@ccmcp/core/client';
import { Failure } from './failure.ts';

/** Turns whatever was thrown into the failure that the user is told of. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof TimeoutError) {
    return new Failure('timeout', error.message, { hint: 'Give it more time with --timeout SECONDS.', cause: error });
  }
  if (error instanceof ProtocolError) {
    const data = { code: error.code, ...(error.data !== undefined && { data: error.data }) };
    return new Failure('refused', `The server answered: ${error.message} (${error.code})`, { data, cause: error });
  }
  if (error instanceof ResultError) return new Failure('refused', error.message, { cause: error });
  if (error instanceof HttpError) return httpFailure(error);
  if (error instanceof ConnectionError) return new Failure('unreachable', withCause(error), { cause: error });
  if (error instanceof Error) return named(error);
  return new Failure('unexpected', String(error));
}

function httpFailure(error: HttpError): Failure {
  if (error.status === 401 || error.status === 403) {
    const hint = "Send a key with --header 'Authorization: Bearer …', or sign in by running this on a terminal.";
    return new Failure('unauthorized', error.message, { hint, cause: error });
  }
  const hint = '"ccmcp probe" finds out what is there instead.';
  return new Failure('unreachable', error.message, { hint, cause: error });
}

/** Errors that other modules throw under a name of their own. */
function named(error: Error): Failure {
  if (error.name === 'AuthError') return new Failure('unauthorized', error.message, { cause: error });
  if (error.name === 'AbortError') return new Failure('interrupted', 'Interrupted', { cause: error });
  return new Failure('unexpected', withCause(error), { cause: error });
}

function withCause({ message, cause }: Error): string {
  const reason = cause instanceof Error ? cause.message : '';
  return reason === '' || message.includes(reason) ? message : `${message}: ${reason}`;
}
