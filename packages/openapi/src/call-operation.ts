import { type Auth, ToolError } from '@ccmcp/core';
import { AuthError, type RemoteResponse } from '@ccmcp/core/client';
import { buildRequest, type PlainRequest, type Target } from './build-request.ts';
import type { Authorization, Authorizer } from './credentials.ts';
import type { InputPlan } from './input-plan.ts';
import type { JsonObject } from './json.ts';
import type { Operation } from './operations.ts';
import { discard, failureOf, readBytes, type Send } from './sender.ts';

/** What all calls of an API share. */
export interface Api {
  readonly authorizer: Authorizer;
  readonly send: Send;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly maxResponse: number;
}

/** An operation and how it is called. */
export interface CallableOperation {
  readonly operation: Operation;
  readonly target: Target;
  readonly input: InputPlan;
  /** The content types that are asked for. */
  readonly accept: string;
}

/** A response of the API, read. */
export interface ApiResponse {
  readonly status: number;
  readonly url: URL;
  readonly bytes: Uint8Array<ArrayBuffer>;
  header(name: string): string | undefined;
  /** Removes the credentials of the caller from a text. */
  redact(text: string): string;
}

/** The caller of a tool, as far as calls of the API care. */
export interface ApiCaller {
  readonly auth: Auth | undefined;
  readonly signal: AbortSignal;
}

const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY', 'PUT', 'DELETE']);
const transient = new Set([429, 502, 503, 504]);

/** The delay before the first retry; it doubles with each further one. */
const firstDelayMs = 250;
/** The longest delay that a `Retry-After` may ask for. */
const maxDelayMs = 10_000;

/** Sends the request of a call, and reads its response. Throws a `ToolError` if there is none. */
export async function callOperation(
  api: Api,
  { operation, target, input, accept }: CallableOperation,
  args: JsonObject,
  caller: ApiCaller,
): Promise<ApiResponse> {
  const request = buildRequest(target, input, args);
  const { signal, end } = withTimeout(caller.signal, api.timeoutMs);
  const title = `${operation.method} ${operation.path}`;
  try {
    const exchange = new Exchange(api, operation, request, { accept, signal, caller: caller.auth });
    const { response, authorization } = await exchange.run();
    const bytes = await readBytes(response, api.maxResponse).catch(failSending);
    if (bytes === undefined) {
      throw new ToolError(`${title}: the response is longer than ${api.maxResponse} bytes: ask for less of it`);
    }
    const { status } = response;
    return {
      status,
      url: request.url,
      bytes,
      header: (name) => response.header(name),
      redact: (text) => redact(text, authorization.secrets),
    };
  } catch (error) {
    if (error instanceof ToolError || caller.signal.aborted) throw error;
    if (signal.aborted) throw new ToolError(`${title}: no response within ${api.timeoutMs} ms`);
    // Other errors are of the program, such as those of its own `auth`: the model does not see them.
    if (!(error instanceof SendError) && !(error instanceof AuthError)) throw error;
    throw new ToolError(`${title}: there was no response: ${failureOf(error)}`);
  } finally {
    end();
  }
}

/** A request could not be sent, or its response not be read. */
class SendError extends Error {}

function failSending(error: unknown): never {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  throw new SendError('The request failed', { cause });
}

interface ExchangeOptions {
  readonly accept: string;
  readonly signal: AbortSignal;
  readonly caller: Auth | undefined;
}

interface Exchanged {
  readonly response: RemoteResponse;
  readonly authorization: Authorization;
}

/** One request with its retries: after a rejection with other credentials, and after a transient failure. */
class Exchange {
  readonly #api: Api;
  readonly #operation: Operation;
  readonly #request: PlainRequest;
  readonly #options: ExchangeOptions;

  constructor(api: Api, operation: Operation, request: PlainRequest, options: ExchangeOptions) {
    this.#api = api;
    this.#operation = operation;
    this.#request = request;
    this.#options = options;
  }

  async run(): Promise<Exchanged> {
    const exchanged = await this.#withRetries();
    const { response, authorization } = exchanged;
    if ((response.status !== 401 && response.status !== 403) || authorization.auth === undefined) return exchanged;
    const isRenewed = await authorization.auth.unauthorized({
      status: response.status,
      wwwAuthenticate: response.header('www-authenticate'),
      url: this.#request.url.href,
      dpopNonce: response.header('dpop-nonce'),
      sent: authorization.headers,
    });
    if (!isRenewed) return exchanged;
    await discard(response);
    return this.#withRetries();
  }

  async #withRetries(): Promise<Exchanged> {
    const { retries } = this.#api;
    const { signal } = this.#options;
    const attempts = idempotent.has(this.#operation.method) ? retries : 0;
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= attempts;
      try {
        const exchanged = await this.#once();
        const { status } = exchanged.response;
        const delay = isLast || !transient.has(status) ? undefined : delayOf(exchanged.response, attempt);
        if (delay === undefined) return exchanged;
        await discard(exchanged.response);
        await pause(delay, signal);
      } catch (error) {
        if (isLast || signal.aborted || !isLost(error)) throw error;
        await pause(backoff(attempt), signal);
      }
    }
  }

  async #once(): Promise<Exchanged> {
    const { accept, signal, caller } = this.#options;
    const { url: plain, headers, cookies, body } = this.#request;
    const authorization = await this.#api.authorizer.authorize(this.#operation, caller, plain.href);
    const url = new URL(plain);
    const query = authorization.query.map(([name, value]) => `${name}=${value}`);
    if (query.length > 0) url.search = [url.search.slice(1), ...query].filter(Boolean).join('&');
    const cookie = [...cookies, ...authorization.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const all = {
      accept,
      ...headers,
      ...this.#api.headers,
      ...lowerCased(authorization.headers),
      ...(cookie !== '' && { cookie }),
    };
    const { method } = this.#operation;
    const sent = { url, method, headers: all, signal, ...(body !== undefined && { body }) };
    return { response: await this.#api.send(sent).catch(failSending), authorization };
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** True if a connection was lost, or could not be made. */
function isLost(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return /^(?:E[A-Z]+|UND_ERR_SOCKET|UND_ERR_CONNECT_TIMEOUT)$/.test(String((cause as { code?: unknown }).code));
}

/** How long to wait before the next attempt; undefined if the server asks for too long. */
function delayOf(response: RemoteResponse, attempt: number): number | undefined {
  const after = response.header('retry-after');
  if (after === undefined || !/^\d{1,6}$/.test(after)) return backoff(attempt);
  const delay = Number(after) * 1000;
  return delay <= maxDelayMs ? delay : undefined;
}

function backoff(attempt: number): number {
  return firstDelayMs * 2 ** attempt * (0.5 + Math.random() / 2);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** A signal that aborts with another one, or after a time. */
function withTimeout(outer: AbortSignal, ms: number): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort(outer.reason);
  const timer = setTimeout(() => controller.abort(new Error('timeout')), ms);
  if (outer.aborted) abort();
  else outer.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      outer.removeEventListener('abort', abort);
    },
  };
}

/** Secrets shorter than this may occur in any text. */
const minSecret = 8;

function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= minSecret)
    .reduce((redacted, secret) => redacted.replaceAll(secret, '[redacted]'), text);
}
