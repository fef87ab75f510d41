import { ErrorCode, type Operation, ProtocolError } from '@ccmcp/core';
import { askableOf } from '../messages.ts';
import type { SignInRequired } from './sign-in-required.ts';

/** The key of the question whose answer is for the gateway, not for an upstream. */
export const signInKey = 'io.github.ccmcp/sign-in';

/** The requests during which clients of every revision can be asked. */
const askable = new Set(['tools/call', 'prompts/get', 'resources/read']);

/**
 * Asks the caller to sign in, and waits until they have. Throws an error with the sign-in URL if the caller can't be
 * asked, or did not sign in.
 */
export async function askToSignIn(
  operation: Operation,
  { url, id, message, done }: SignInRequired,
  { upstream, waitMs }: { upstream: string; waitMs: number },
): Promise<void> {
  const failed = (text: string): ProtocolError =>
    new ProtocolError(ErrorCode.InternalError, `${text}. Then try again`, { upstream, url });
  const canAsk = askable.has(operation.method) && askableOf(operation).elicitation?.url !== undefined;
  if (!canAsk) throw failed(message);
  const isHandshake = operation.era === 'handshake';
  const asked = { mode: 'url', message: `Sign in to "${upstream}" to use it here.`, url };
  const question = isHandshake ? { ...asked, elicitationId: id } : asked;
  const { action } = await operation.ask('elicitation/create', question, signInKey);
  if (action !== 'accept') throw failed(`You did not want to sign in. ${message}`);
  await withTimeout(waitMs, done, operation.signal).catch((error: Error) => {
    throw failed(`${error.message}. ${message}`);
  });
  if (isHandshake) operation.notifyLater?.('notifications/elicitation/complete', { elicitationId: id });
}

/** Rejects after a timeout, or when the signal aborts. */
function withTimeout(timeoutMs: number, promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('You have not signed in yet')), timeoutMs);
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    });
  });
}
