import { ErrorCode, ProtocolError } from '@ccmcp/core';
import { ConnectionError, HttpError, ResultError, TimeoutError } from '@ccmcp/core/client';
import { isAttended } from '../questions/ask.ts';
import { Failure } from '../../command/failure.ts';

/** Converts any error to a `Failure`. `sent`: the headers of the request. */
export function toFailure(error: unknown, sent: Record<string, string> = {}): Failure {
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
    return new Failure('unreachable', addCause(error), { hint: networkHint(error), cause: error });
  }
  if (error instanceof Error) return fromErrorName(error);
  return new Failure('unexpected', String(error));
}

function httpFailure(error: HttpError, sent: Record<string, string>): Failure {
  if (error.status === 401 || error.status === 403) {
    const { message, hint } = credentialsHint(error, { sent, isAttended: isAttended() });
    return new Failure('unauthorized', message, { hint, cause: error });
  }
  const hint = '"ccmcp probe" finds out what is there instead.';
  return new Failure('unreachable', error.message, { hint, cause: error });
}

/** The hint for a server that needs a user or a model when there is none. */
function missingCapabilityHint({ code, data, message }: ProtocolError): string | undefined {
  const { requiredCapabilities: wanted = {} } = (data ?? {}) as {
    requiredCapabilities?: { elicitation?: unknown; sampling?: unknown };
  };
  if (code !== ErrorCode.MissingClientCapability) return undefined;
  if (wanted.sampling || /\bsampling\b/.test(message))
    return 'It asks a model. Name a command that answers for one: --sample-with COMMAND.';
  if (!wanted.elicitation || isAttended()) return undefined;
  return 'The server asks the user, but there is no terminal. If the tool runs as a task, "--detach" leaves its questions to "ccmcp tasks".';
}

/** The hint for a network error. */
function networkHint({ cause }: Error): string | undefined {
  const { code, cause: inner } = (cause ?? {}) as NodeJS.ErrnoException;
  const known = code ?? (inner as NodeJS.ErrnoException | undefined)?.code ?? '';
  if (/CERT|SELF_SIGNED/.test(known)) return hints.EPROTO;
  return Object.hasOwn(hints, known) ? hints[known as keyof typeof hints] : undefined;
}

const hints = {
  ECONNREFUSED: 'Nothing listens there. Is the server running, and is this the port it says it listens on?',
  ENOTFOUND: 'The host name does not resolve. Check the spelling, and whether it needs another network, such as a VPN.',
  EAI_AGAIN: 'The name could not be looked up just now. Are you in a network?',
  ECONNRESET: '"ccmcp probe" finds out what is there instead.',
  EPROTO: '"ccmcp probe" diagnoses the TLS problem.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The port seems to speak plain HTTP: write http:// instead of https://.',
} as const;

/** Converts errors that are known by name. */
function fromErrorName(error: Error): Failure {
  if (error.name === 'AuthError') return new Failure('unauthorized', error.message, { cause: error });
  if (error.name === 'HeldBackError') return new Failure('held-back', error.message, { cause: error });
  if (error.name === 'LockError') return new Failure('usage', error.message, { cause: error });
  if (error.name === 'TaskCancelledError') return new Failure('cancelled', error.message, { cause: error });
  if (error.name === 'TaskGoneError') return new Failure('unknown-name', error.message, { cause: error });
  const hint = networkHint({ name: '', message: '', cause: error });
  if (hint !== undefined) return new Failure('unreachable', `No connection: ${error.message}`, { hint, cause: error });
  if (error.name === 'AbortError') return new Failure('interrupted', 'Interrupted', { cause: error });
  return new Failure('unexpected', addCause(error), { cause: error });
}

function addCause({ message, cause }: Error): string {
  const reason = cause instanceof Error ? cause.message : '';
  const [, said = '', code = ''] = /^([^]*): (E[A-Z_]+)$/.exec(message) ?? [];
  // The reason names the code again, with the address.
  if (code !== '' && reason.includes(code)) return `${said}: ${reason}`;
  return reason === '' || message.includes(reason) ? message : `${message}: ${reason}`;
}

/** A response that rejects the credentials. */
export interface Rejection {
  status: number;
  /** The `WWW-Authenticate` header. */
  challenge?: string | undefined;
  /** The beginning of the body. */
  said?: string | undefined;
}

/** Explains a 401 or 403, and which header to send. `sent`: the rejected headers. */
export function credentialsHint(
  { status, challenge = '', said = '' }: Rejection,
  { sent = {}, isAttended = false }: { sent?: Record<string, string>; isAttended?: boolean } = {},
): { message: string; hint: string } {
  const rejected = Object.keys(sent).filter((name) => /auth|key|token|secret|cookie/i.test(name));
  const what = rejected.length === 0 ? 'wants credentials' : `rejects the ${rejected.join(' and ')} that it was sent`;
  const why = reasons(challenge, said);
  const message = `The server ${status === 403 ? 'rejects the caller' : what} (${status})${why === '' ? '' : `: ${why}`}`;
  if (status === 403) return { message, hint: forbiddenHint(challenge) };
  const header = headerHint(challenge, said);
  const metadata = parameter(challenge, 'resource_metadata');
  const signIn =
    metadata === undefined || isAttended || rejected.length > 0
      ? ''
      : ' It lets people sign in with OAuth: "ccmcp login URL" does that with a browser, and keeps the login.';
  const again =
    rejected.length > 0 ? 'It may have expired, or be for another server. Send another with ' : 'Send them with ';
  return { message, hint: `${again}${header}.${signIn}` };
}

/** The reason of the server: its message and the challenge. */
function reasons(challenge: string, said: string): string {
  const description = parameter(challenge, 'error_description') ?? parameter(challenge, 'error');
  const asked = challenge === '' ? '' : `WWW-Authenticate: ${challenge.slice(0, 300)}`;
  const words = description ?? bodyText(said);
  return [words, asked].filter((part) => part !== '').join('. ');
}

/** The text of a body: of JSON, its message. */
function bodyText(said: string): string {
  const found = /"(?:message|error_description|detail|error)"\s*:\s*"((?:[^"\\]|\\.){1,200})"/.exec(said);
  if (found?.[1] !== undefined) return found[1];
  const text = said
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return /^[{[]/.test(text) ? '' : text.slice(0, 200);
}

function headerHint(challenge: string, said: string): string {
  const [scheme = ''] = challenge.trim().split(/[\s,]/, 1);
  const named =
    parameter(challenge, 'header') ?? /\bx-[a-z-]*(?:key|token|auth)[a-z-]*\b/i.exec(`${challenge} ${said}`)?.[0];
  if (named !== undefined && /^[\w-]+$/.test(named)) return `--header '${named}: KEY'`;
  if (/^basic$/i.test(scheme)) return `--header "Authorization: Basic $(printf %s USER:PASSWORD | base64)"`;
  if (/^(?:bearer|dpop)$/i.test(scheme)) return "--header 'Authorization: Bearer TOKEN'";
  if (/^[a-z][\w-]*$/i.test(scheme)) return `--header 'Authorization: ${scheme} CREDENTIALS'`;
  return "--header, such as --header 'Authorization: Bearer TOKEN' or --header 'X-Api-Key: KEY'";
}

function forbiddenHint(challenge: string): string {
  const scope = parameter(challenge, 'scope');
  if (scope !== undefined)
    return `It wants a token with the scope ${scope}: sign in with "ccmcp login URL --scope '${scope}'", or send one with --token-env NAME.`;
  return 'It knows the caller but rejects, or rejects this host name or origin: see how it is allowed there.';
}

function parameter(challenge: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+))`, 'i').exec(challenge);
  return found?.[1]?.replaceAll(/\\(.)/g, '$1') ?? found?.[2];
}
