import type { IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { addressKind } from './address-kind.ts';

/** One request to a URL that was named by somebody else, such as an authorization server or an API. */
export interface RemoteRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
}

/** A response whose body is not read yet. */
export interface RemoteResponse {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array>;
  header(name: string): string | undefined;
  /** All headers, unchanged. */
  headers(): readonly (readonly [name: string, value: string])[];
}

/** Sends a request without following redirects. */
export type SendRemoteRequest = (url: URL, request: RemoteRequest) => Promise<RemoteResponse>;

/** Throws if an IP address, which is that of `host`, is not allowed. */
export type AddressCheck = (address: string, host: string) => void;

/** Sends requests with a `fetch` function, which resolves names itself. */
export function sendByFetch(fetchIt: typeof fetch): SendRemoteRequest {
  return async (url, request) => {
    const response = await fetchIt(url, { ...request, redirect: 'manual' });
    return {
      status: response.status,
      body: (response.body ?? []) as AsyncIterable<Uint8Array>,
      header: (name) => response.headers.get(name) ?? undefined,
      headers: () => [...response.headers],
    };
  };
}

/**
 * Sends requests with Node's HTTP to addresses that pass the check. Checks the address of the connection itself, which
 * prevents DNS rebinding. Each request has its own connection, since a reused one would not be checked again.
 *
 * @example
 * const send = sendChecked((address) => {
 *   if (addressKind(address) !== 'public') throw new Error(`${address} is not public`);
 * });
 */
export function sendChecked(check: AddressCheck): SendRemoteRequest {
  return async (url, { body, ...request }) => {
    // A host that is an address is never looked up.
    const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
    if (addressKind(literal) !== undefined) check(literal, url.hostname);
    const http = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
    const options: RequestOptions = { ...request, agent: false, lookup: await createCheckedLookup(check) };
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const sent = http.request(url, { ...options, headers: { ...request.headers, ...length } });
      sent.once('error', reject);
      sent.once('response', (incoming: IncomingMessage) => {
        resolve({
          status: incoming.statusCode ?? 0,
          body: incoming,
          header: (name) => {
            const value = incoming.headers[name];
            return Array.isArray(value) ? value.join(', ') : value;
          },
          headers: () => {
            const { rawHeaders } = incoming;
            return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
          },
        });
      });
      sent.end(body);
    });
  };
}

/** Checks the addresses of a name without connecting. An unknown name has none. */
export async function checkName(host: string, check: AddressCheck): Promise<void> {
  const { default: dns } = await import('node:dns');
  const addresses = await new Promise<readonly { address: string }[]>((resolve) => {
    dns.lookup(host, { all: true }, (error, found) => resolve(error === null ? found : []));
  });
  for (const { address } of addresses) check(address, host);
}

async function createCheckedLookup(check: AddressCheck): Promise<LookupFunction> {
  const { default: dns } = await import('node:dns');
  return (host, options, done) => {
    dns.lookup(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) {
        done(error ?? new Error(`${host} has no address`), '', 0);
        return;
      }
      try {
        for (const { address } of addresses) check(address, host);
      } catch (rejected) {
        done(rejected as Error, '', 0);
        return;
      }
      if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}
