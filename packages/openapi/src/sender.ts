import { addressKind, type RemoteRequest, type RemoteResponse, sendByFetch, sendChecked } from '@ccmcp/core/client';
import { concatBytes } from './bytes.ts';

/** A request that is sent to the API. */
export type ApiRequest = RemoteRequest & { readonly url: URL };

/** Sends requests, and follows redirects on the same host. */
export type Send = (request: ApiRequest) => Promise<RemoteResponse>;

/** How requests are sent. */
export interface SenderOptions {
  readonly fetch?: typeof fetch | undefined;
  readonly privateAddresses?: boolean | undefined;
  /** The hosts that the operator named, not a document: they may have any address. */
  readonly trusted: ReadonlySet<string>;
}

/** The maximum redirects of one request. */
const maxRedirects = 5;

const redirects = new Set([301, 302, 303, 307, 308]);

/** Creates what sends the requests. */
export function createSender({ fetch: given, privateAddresses = false, trusted }: SenderOptions): Send {
  const byFetch = sendByFetch(given ?? ((...request) => fetch(...request)));
  const checked = sendChecked((address, host) => {
    const kind = addressKind(address) ?? 'unusable';
    if (kind === 'public' || (privateAddresses && kind !== 'unusable')) return;
    throw new Error(
      `${host} leads to ${address}, which is ${kind === 'loopback' ? 'this machine' : kind}: name it in "baseUrl", or allow "privateAddresses"`,
    );
  });
  return async (request) => {
    let { url, method, body } = request;
    let { headers } = request;
    for (let count = 0; ; count += 1) {
      const isDirect = given !== undefined || trusted.has(url.hostname);
      const sent = { method, headers, signal: request.signal, ...(body !== undefined && { body }) };
      const response = await (isDirect ? byFetch : checked)(url, sent);
      const location = response.header('location');
      if (!redirects.has(response.status) || location === undefined) return response;
      await discard(response);
      if (count === maxRedirects) throw new Error(`there are more than ${maxRedirects} redirects`);
      url = redirectTarget(location, url);
      const { status } = response;
      if (status !== 307 && status !== 308 && method !== 'GET' && method !== 'HEAD') {
        method = 'GET';
        body = undefined;
        headers = withoutContent(headers);
      }
    }
  };
}

/** Credentials and bodies stay on the host that they were meant for. */
function redirectTarget(location: string, from: URL): URL {
  const url = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const isUpgrade = from.protocol === 'http:' && url?.protocol === 'https:' && url.port === '' && from.port === '';
  if (url !== undefined && url.hostname === from.hostname && (url.origin === from.origin || isUpgrade)) return url;
  const target = url === undefined ? 'somewhere that is no URL' : `${url.origin}, another host`;
  throw new Error(`it redirects to ${target}, which is not followed`);
}

function withoutContent(headers: RemoteRequest['headers']): RemoteRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-/i.test(name)));
}

/** Reads at most `maxBytes` of a body; undefined if it is longer. */
export async function readBytes(
  response: RemoteResponse,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return concatBytes(chunks);
}

/** Ends a response that nobody reads, so that its connection is closed. */
export async function discard({ body }: RemoteResponse): Promise<void> {
  const iterator = body[Symbol.asyncIterator]?.();
  await iterator?.return?.(undefined);
}

/** The reason why a request got no response, as one sentence. */
export function failureOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const { code } = cause as NodeJS.ErrnoException;
  const isSystem = typeof code === 'string' && /^[A-Z_]+$/.test(code);
  return isSystem && !cause.message.includes(code) ? `${cause.message} (${code})` : cause.message;
}
