import { ErrorCode, ProtocolError } from '@ccmcp/core';
import { ConnectionError, HttpError, ResultError, TimeoutError } from '@ccmcp/core/client';
import { isAttended } from './ask.ts';
import { Failure } from './failure.ts';
import { wantedCredentials } from './wanted-credentials.ts';

/** Turns whatever was thrown into the failure that the user is told of. `sent`: the headers that a server was sent. */
export function failureOf(error: unknown, sent: Record<string, string> = {}): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof TimeoutError) {
    return new Failure('timeout', error.message, { hint: 'Give it more time with --timeout SECONDS.', cause: error });
  }
  if (error instanceof ProtocolError) {
    const data = { code: error.code, ...(error.data !== undefined && { data: error.data }) };
    const hint = missingCapabilityHint(error);
    return new Failure('refused', `The server answered: ${error.message} (${error.code})`, {
      data,
      hint,
      cause: error,
    });
  }
  if (error instanceof ResultError) return new Failure('refused', error.message, { cause: error });
  if (error instanceof HttpError) return httpFailure(error, sent);
  if (error instanceof ConnectionError) {
    return new Failure('unreachable', withCause(error), { hint: networkHint(error), cause: error });
  }
  if (error instanceof Error) return named(error);
  return new Failure('unexpected', String(error));
}

function httpFailure(error: HttpError, sent: Record<string, string>): Failure {
  if (error.status === 401 || error.status === 403) {
    const { message, hint } = wantedCredentials(error, { sent, isAttended: isAttended() });
    return new Failure('unauthorized', message, { hint, cause: error });
  }
  const hint = '"ccmcp probe" finds out what is there instead.';
  return new Failure('unreachable', error.message, { hint, cause: error });
}

/** What to do where a server asks a person or a model, and there is none. */
function missingCapabilityHint({ code, data, message }: ProtocolError): string | undefined {
  const { requiredCapabilities: wanted = {} } = (data ?? {}) as {
    requiredCapabilities?: { elicitation?: unknown; sampling?: unknown };
  };
  if (code !== ErrorCode.MissingClientCapability) return undefined;
  if (wanted.sampling || /\bsampling\b/.test(message))
    return 'It asks a model. Name a command that answers for one: --sample-with COMMAND.';
  if (!wanted.elicitation || isAttended()) return undefined;
  return 'It asks a person, and nobody is at a terminal here. Where the tool runs as a task, "--detach" leaves its questions for "ccmcp tasks".';
}

/** What to do where the network is what failed. */
function networkHint({ cause }: Error): string | undefined {
  const { code, cause: inner } = (cause ?? {}) as NodeJS.ErrnoException;
  const known = code ?? (inner as NodeJS.ErrnoException | undefined)?.code ?? '';
  if (/CERT|SELF_SIGNED/.test(known)) return hints.EPROTO;
  return Object.hasOwn(hints, known) ? hints[known as keyof typeof hints] : undefined;
}

const hints = {
  ECONNREFUSED: 'Nothing listens there. Is the server running, and is this the port it says it listens on?',
  ENOTFOUND: 'Nobody knows this name. Check the spelling, and whether you are in the network that knows it.',
  EAI_AGAIN: 'The name could not be looked up just now. Are you in a network?',
  ECONNRESET: '"ccmcp probe" finds out what is there instead.',
  EPROTO: '"ccmcp probe" finds out what is wrong with TLS there.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The port seems to speak plain HTTP: write http:// instead of https://.',
} as const;

/** Errors that other modules throw under a name of their own. */
function named(error: Error): Failure {
  if (error.name === 'AuthError') return new Failure('unauthorized', error.message, { cause: error });
  if (error.name === 'TaskCancelledError') return new Failure('cancelled', error.message, { cause: error });
  if (error.name === 'TaskGoneError') return new Failure('unknown-name', error.message, { cause: error });
  const hint = networkHint({ name: '', message: '', cause: error });
  if (hint !== undefined) return new Failure('unreachable', `No connection: ${error.message}`, { hint, cause: error });
  if (error.name === 'AbortError') return new Failure('interrupted', 'Interrupted', { cause: error });
  return new Failure('unexpected', withCause(error), { cause: error });
}

function withCause({ message, cause }: Error): string {
  const reason = cause instanceof Error ? cause.message : '';
  const [, said = '', code = ''] = /^([^]*): (E[A-Z_]+)$/.exec(message) ?? [];
  // The reason names the code again, with the address.
  if (code !== '' && reason.includes(code)) return `${said}: ${reason}`;
  return reason === '' || message.includes(reason) ? message : `${message}: ${reason}`;
}
