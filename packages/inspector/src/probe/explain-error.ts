import { ProtocolError } from '@ccmcp/core';
import { ConnectionError, HttpError, ResultError, TimeoutError } from '@ccmcp/core/client';
import { TaskCancelledError } from '@ccmcp/core/tasks';
import type { CallError, CallOutcome } from '../shared/calls.ts';

/** Why something failed, and what to do about it. */
export interface ErrorExplanation {
  readonly message: string;
  readonly advice: string;
  readonly wantsSignIn: boolean;
}

/** Explains a failed connection. */
export function explainError(error: unknown, kind: 'url' | 'command' | 'own'): ErrorExplanation {
  // stderr is shown separately, and advice for developers of clients does not help here.
  const message = errorMessage(error).replace(
    kind === 'command' ? / Its stderr ends with: [^]*$/ : /: give the transport .*$/,
    '',
  );
  const wantsSignIn = error instanceof HttpError && (error.status === 401 || error.status === 403);
  return {
    message,
    advice: adviceOn(error, kind),
    wantsSignIn: wantsSignIn || (error as Error)?.name === 'AuthError',
  };
}

function adviceOn(error: unknown, kind: 'url' | 'command' | 'own'): string {
  if (error instanceof HttpError) return httpAdvice(error.status);
  if (error instanceof TimeoutError) {
    return kind === 'command'
      ? 'It started but does not respond. Does it write anything else to stdout, or wait for input?'
      : 'It accepts connections but does not respond. Diagnose it, or increase the timeout.';
  }
  if (error instanceof ProtocolError) return 'Negotiation failed. Choose another revision, or check the messages.';
  const code = errorCode(error);
  if (Object.hasOwn(networkAdvice, code)) return networkAdvice[code] as string;
  if (/CERT|SELF_SIGNED|SSL|TLS/.test(code)) return 'TLS failed. Diagnose the connection.';
  if (kind === 'command')
    return 'Check its stderr. Is it installed, and does it need arguments or environment variables?';
  return 'Diagnose the connection to see which step fails.';
}

const networkAdvice: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there. Is the server running, and is this the port it says it listens on?',
  ENOTFOUND: 'The host name does not resolve. Check the spelling, and whether it needs another network, such as a VPN.',
  EAI_AGAIN: 'The name lookup failed temporarily. Are you online?',
  ENOENT: 'There is no such program. Is it installed, and is its folder in PATH? An absolute path always works.',
  EACCES: 'Permission denied. Is the program executable?',
};

function httpAdvice(status: number): string {
  if (status === 401) return 'Sign in, or set the required header.';
  if (status === 403)
    return 'It knows the caller but denies access, or rejects this host name or origin. Sign in with more scopes, or check its access rules.';
  if (status === 404 || status === 405)
    return 'There is no MCP at this path. Diagnose the connection: it tries the usual paths.';
  if (status >= 502 && status <= 504) return 'A proxy is there, but not the server behind it.';
  return status >= 500 ? "Look into the server's own log." : 'Check the raw exchange.';
}

/** Converts an error to the outcome of a call. */
export function toCallError(error: unknown, isCancelled: boolean): { outcome: CallOutcome; error: CallError } {
  if (isCancelled) return { outcome: 'cancelled', error: { message: 'Cancelled' } };
  const message = errorMessage(error);
  if (error instanceof TaskCancelledError) return { outcome: 'cancelled', error: { message } };
  if (error instanceof ProtocolError) {
    const { code, data } = error;
    return { outcome: 'error', error: { message, code, ...(data !== undefined && { data }) } };
  }
  if (error instanceof HttpError) {
    return { outcome: 'error', error: { message, code: error.status, advice: httpAdvice(error.status) } };
  }
  if (error instanceof TimeoutError)
    return { outcome: 'timeout', error: { message, advice: 'Increase the timeout, or cancel earlier.' } };
  if (error instanceof ConnectionError) return { outcome: 'lost', error: { message, advice: adviceOn(error, 'url') } };
  if (error instanceof ResultError) return { outcome: 'broken-output', error: { message } };
  return { outcome: 'error', error: { message } };
}

function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const reason = error.cause instanceof Error ? error.cause.message : '';
  const [, prefix = '', code = ''] = /^([^]*): (E[A-Z_]+)$/.exec(error.message) ?? [];
  if (code !== '' && reason.includes(code)) return `${prefix}: ${reason}`;
  return reason === '' || error.message.includes(reason) ? error.message : `${error.message}: ${reason}`;
}

function errorCode(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : errorCode(cause);
}
