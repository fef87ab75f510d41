import { ConnectionError, HttpError } from '../../../../client/errors.ts';
import type { HttpAuth } from '../../../../client/http-auth.ts';
import type { HttpTap } from '../../../../client/http-tap.ts';
import type { Outgoing, HttpResponse, SendRequest } from './response.ts';
import { sendByFetch } from './send-fetch.ts';
import { sendByNode } from './send-node.ts';
import { tapped } from './tapped.ts';
import { hasNode } from '../../../../runtime/kind.ts';
import { limits } from '../../../../limits.ts';

/** How an HTTP server is reached. */
export interface HttpClientOptions {
  /** Sent with every request. */
  headers?: Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>);
  /**
   * Sends the requests. Default: `node:http`, which is quicker and does not give up on silent streams; where there is none,
   * the global `fetch`.
   */
  fetch?: typeof fetch;
  /** Where credentials come from. */
  auth?: HttpAuth;
  /** The longest message taken, in characters. Default: 64 Mi. */
  maxMessage?: number;
  /** Sees every request and what comes back, with all secrets: for tools that show it to people. */
  tap?: HttpTap;
}

/** Looked up when it is used: it may be replaced, and wants to be called as what it is. */
const globalFetch: typeof fetch = (...given) => fetch(...given);

const mostTries = limits.clientHttp.credentialTries.value;
const mostRedirects = limits.clientHttp.redirects.value;

/** Makes the function that sends: with credentials, and again with others where the server wants those. */
export function createSender({ headers, fetch, auth, tap }: HttpClientOptions): SendRequest {
  const plain = fetch === undefined && hasNode ? sendByNode : sendByFetch(fetch ?? globalFetch);
  const send = tap === undefined ? plain : tapped(plain, tap);
  if (auth === undefined && typeof headers !== 'function') {
    return (url, outgoing) =>
      follow(
        send,
        url,
        headers === undefined
          ? Object.assign(outgoing, { unmixed: true })
          : { ...outgoing, headers: { ...headers, ...outgoing.headers } },
      );
  }
  return async (url, outgoing) => {
    for (let tries = 1; ; tries += 1) {
      const given = typeof headers === 'function' ? await headers() : headers;
      const credentials = await auth?.headers({ url: url.href, method: outgoing.method });
      const response = await follow(send, url, {
        ...outgoing,
        headers: { ...given, ...outgoing.headers, ...credentials },
      });
      if (auth === undefined || !wantsCredentials(response)) return response;
      if (tries === mostTries) return response;
      const isRenewed = await renew(auth, url, response, credentials).catch((error: unknown) => {
        // Nobody reads it any more, and a connection with an unread answer would keep the process from ending.
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

/** Follows redirects, but takes messages and credentials to no other origin. */
function follow(send: SendRequest, url: URL, outgoing: Outgoing, from = url, redirects = 0): Promise<HttpResponse> {
  return send(from, outgoing).then(
    (response) => {
      const location = response.status < 300 || response.status > 399 ? undefined : response.header('location');
      if (location === undefined) return response;
      response.discard();
      const target = new URL(location, from);
      if (target.origin === url.origin && redirects < mostRedirects) {
        return follow(send, url, outgoing, target, redirects + 1);
      }
      throw new HttpError(
        response.status,
        `${shown(url)} redirects to ${shown(target)}: connect there if you trust it`,
      );
    },
    (error: unknown) => Promise.reject(outgoing.once === true ? perhapsServed(from, error) : unreachable(from, error)),
  );
}

/** The network failed, before or while the server answered. */
export function unreachable(url: URL, error: unknown): ConnectionError {
  const { message, code, cause } = error as Error & { code?: string; cause?: Error & { code?: string } };
  const why = code ?? cause?.code ?? cause?.message ?? message;
  return new ConnectionError(`No connection to ${shown(url)}: ${why}`, { cause: error });
}

/** The same, for what must not be served twice: who called must know that it may have been served. */
function perhapsServed(url: URL, error: unknown): ConnectionError {
  const plain = unreachable(url, error);
  const { code = '' } = error as { code?: string };
  if (!lostOnTheWay.has(code)) return plain;
  return new ConnectionError(
    `${plain.message}: it was lost before the answer came. The request may have been served, so it is not sent again`,
    { cause: error },
  );
}

const lostOnTheWay: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** An address without what may be secret in it. */
export function shown({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
