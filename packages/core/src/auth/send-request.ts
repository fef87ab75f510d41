import type { IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';

/** One request to an authorization server. */
export interface AuthRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** A response whose body is not read yet. */
export interface AuthResponse {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array>;
  header(name: string): string | undefined;
  /** All headers, unchanged. */
  headers(): readonly (readonly [name: string, value: string])[];
}

/** Sends a request without following redirects. */
export type SendAuthRequest = (url: URL, request: AuthRequest) => Promise<AuthResponse>;

/** Throws if an address is not allowed. */
export type AddressCheck = (address: string, host: string) => void;

/** Sends requests with a `fetch` function, which resolves names itself. */
export function sendByFetch(fetchIt: typeof fetch): SendAuthRequest {
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
 */
export function sendChecked(check: AddressCheck): SendAuthRequest {
  return async (url, { body, ...request }) => {
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
