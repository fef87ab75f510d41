import { ConnectionError, HttpError } from '../../../../client/errors.ts';
import type { HttpAuth } from '../../../../client/http-auth.ts';
import type { HttpTap } from '../../../../client/http-tap.ts';
import { type OutgoingRequest, type HttpResponse, type SendRequest, readText } from './response.ts';
import { sendByNode } from './send-node.ts';
import { tapSender } from './tapped.ts';
import { hasNode } from '../../../../runtime/kind.ts';
import { toAbortSignal } from '../../../../client/abort-signals.ts';

/** Options of HTTP transports. */
export interface HttpClientOptions {
  /** Sent with every request. */
  headers?: Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>);
  /**
   * Sends the requests. Default: `node:http`, which is faster and keeps silent streams open; without Node, the global
   * `fetch`.
   */
  fetch?: typeof fetch;
  /** Provides credentials. */
  auth?: HttpAuth;
  /** The longest message accepted, in characters. Default: 64 Mi. */
  maxMessage?: number;
  /** Sees every request and response, secrets included: for debugging tools. */
  tap?: HttpTap;
}

/** Looked up at each call, since it may be replaced, and needs its receiver. */
const globalFetch: typeof fetch = (...given) => fetch(...given);

/** The maximum attempts of one request, each with renewed credentials. */
const maxAttempts = 3;
/** The maximum redirects of one request, within one origin. */
const maxRedirects = 3;

/** Creates the function that sends requests: with credentials, and again with renewed ones on a challenge. */
export function createSender({ headers, fetch, auth, tap }: HttpClientOptions): SendRequest {
  const plain = fetch === undefined && hasNode ? sendByNode : sendByFetch(fetch ?? globalFetch);
  const send = tap === undefined ? plain : tapSender(plain, tap);
  if (auth === undefined && typeof headers !== 'function') {
    return (url, request) =>
      sendWithRedirects(
        send,
        url,
        headers === undefined
          ? Object.assign(request, { isComplete: true })
          : { ...request, headers: { ...headers, ...request.headers } },
      );
  }
  return async (url, request) => {
    for (let attempt = 1; ; attempt += 1) {
      const given = typeof headers === 'function' ? await headers() : headers;
      const credentials = await auth?.headers({ url: url.href, method: request.method });
      const response = await sendWithRedirects(send, url, {
        ...request,
        headers: { ...given, ...request.headers, ...credentials },
      });
      if (auth === undefined || !wantsCredentials(response)) return response;
      if (attempt === maxAttempts) return response;
      const isRenewed = await renew(auth, url, response, credentials).catch((error: unknown) => {
        // An unread response would keep the process alive.
        response.discard();
        throw error;
      });
      if (!isRenewed) return response;
      response.discard();
    }
  };
}

function renew(
  auth: HttpAuth,
  url: URL,
  response: HttpResponse,
  sent: Record<string, string> | undefined,
): Promise<boolean> {
  const wwwAuthenticate = response.header('www-authenticate');
  const dpopNonce = response.header('dpop-nonce');
  const { status, address } = response;
  return auth.unauthorized({ status, wwwAuthenticate, url: url.href, dpopNonce, sent, address });
}

function wantsCredentials(response: HttpResponse): boolean {
  if (response.status === 401) return true;
  return response.status === 403 && response.header('www-authenticate')?.includes('insufficient_scope') === true;
}

/** Follows redirects within the origin: messages and credentials go nowhere else. */
function sendWithRedirects(
  send: SendRequest,
  url: URL,
  request: OutgoingRequest,
  from = url,
  redirects = 0,
): Promise<HttpResponse> {
  return send(from, request).then(
    (response) => {
      const location = response.status < 300 || response.status > 399 ? undefined : response.header('location');
      if (location === undefined) return response;
      response.discard();
      const target = new URL(location, from);
      if (target.origin === url.origin && redirects < maxRedirects) {
        return sendWithRedirects(send, url, request, target, redirects + 1);
      }
      throw new HttpError(
        response.status,
        `${displayUrl(url)} redirects to ${displayUrl(target)}: connect there if you trust it`,
      );
    },
    (error: unknown) =>
      Promise.reject(request.once === true ? toMaybeServedError(from, error) : toConnectionError(from, error)),
  );
}

/** The network failed, before or during the response. */
export function toConnectionError(url: URL, error: unknown): ConnectionError {
  const { message, code, cause } = error as Error & { code?: string; cause?: Error & { code?: string } };
  const why = code ?? cause?.code ?? cause?.message ?? message;
  return new ConnectionError(`No connection to ${displayUrl(url)}: ${why}`, { cause: error });
}

/** The error for a request that must not be served twice: the caller must know that it may have been served. */
function toMaybeServedError(url: URL, error: unknown): ConnectionError {
  const plain = toConnectionError(url, error);
  const { code = '' } = error as { code?: string };
  if (!lostInFlightCodes.has(code)) return plain;
  return new ConnectionError(
    `${plain.message}: it was lost before the answer came. The request may have been served, so it is not sent again`,
    { cause: error },
  );
}

const lostInFlightCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** A URL without secrets. */
export function displayUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** Parses the URL of an endpoint; throws if it is none of http or https. */
export function parseEndpoint(url: string | URL, caller: string): URL {
  const parsed = URL.canParse(String(url)) ? new URL(url) : undefined;
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed;
  throw new TypeError(`${caller} needs an http or https URL, such as http://localhost:3000/mcp`);
}

/** Sends requests with `fetch` or a function like it. */
export function sendByFetch(fetchIt: typeof fetch): SendRequest {
  return async (url, request) => {
    const response = await fetchIt(url, { ...request, signal: toAbortSignal(request.signal), redirect: 'manual' });
    const body = (response.body ?? []) as AsyncIterable<Uint8Array>;
    return {
      status: response.status,
      statusText: response.statusText,
      header: (name) => response.headers.get(name) ?? undefined,
      headers: () => [...response.headers],
      body,
      text: (maxBytes) => readText(body, maxBytes),
      discard: () => void response.body?.cancel().catch(() => {}),
    };
  };
}
