import type { HttpTap } from '../client/http-tap.ts';
import { isObject } from '../jsonrpc/message.ts';
import { type AddressKind, addressKind, isLoopback } from './address-kind.ts';
import { AuthError, sanitize } from './auth-error.ts';
import { checkName, type RemoteRequest, type RemoteResponse, sendByFetch, sendChecked } from './send-request.ts';
import { hasNode } from '../runtime/kind.ts';
import { limits } from '../limits.ts';

/** The maximum length of a response, in bytes. */
const answerLimit = 256 * 1024;

/** How to send requests to an authorization server. */
export interface RemoteOptions {
  /** Sends the requests, without address checks. Default: Node's HTTP with address checks. */
  fetch?: typeof fetch;
  /** True allows authorization servers in private networks and on this machine, even if the server is elsewhere. */
  privateAddresses?: boolean;
  /** The timeout of a request. Default: 30 s. */
  timeoutMs?: number;
  /** Observes every request and response, including secrets; for debugging tools. */
  tap?: HttpTap;
}

/** Limits on responses. */
export interface AnswerBounds {
  /** The maximum length in bytes. */
  maxAnswer?: number;
}

/** A response. */
export interface RemoteAnswer {
  readonly status: number;
  /** The JSON object in the body, if there is one. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly dpopNonce: string | undefined;
}

/**
 * Sends requests to URLs that servers provide (SSRF-safe): checks addresses, limits size and time, follows no
 * redirects.
 */
export interface Remote {
  /** The server that provides the URLs. */
  readonly namedBy: NamingServer;
  get(url: string): Promise<RemoteAnswer>;
  post(url: string, request: { headers: Record<string, string>; body: string }): Promise<RemoteAnswer>;
  /** Returns the URL if it is allowed; `what` names it in errors. */
  check(url: string, what: string): URL;
  /** Returns the URL of a page for the user if it is allowed; also resolves and checks its host name. */
  checkPage(url: string, what: string): Promise<URL>;
}

/** The server that provides URLs, with the address of its connection, if known. */
export interface NamingServer {
  readonly url: string;
  readonly address?: string | undefined;
}

type TextRequest = Pick<RemoteRequest, 'method' | 'headers'> & { readonly body?: string };

const globalFetch: typeof fetch = (...request) => fetch(...request);

/** Which servers may provide addresses of each kind: those that can reach them anyway. */
const allowedFrom: Readonly<Record<AddressKind, readonly AddressKind[]>> = {
  public: ['public', 'private', 'link-local', 'loopback', 'unusable'],
  private: ['private', 'loopback'],
  'link-local': ['link-local'],
  loopback: ['loopback'],
  unusable: [],
};

/** Creates a client for the URLs that a server provides. */
export function createRemote(server: NamingServer, options: RemoteOptions & AnswerBounds): Remote {
  const { timeoutMs = limits.clientAuth.timeoutMs.value, privateAddresses = false } = options;
  const { maxAnswer = answerLimit } = options;
  const own = new URL(server.url);
  const place = addressKind(server.address ?? own.hostname) ?? (isLoopback(own) ? 'loopback' : 'public');
  // Without DNS lookups, the runtime resolves names, as with a custom `fetch`.
  const given = options.fetch ?? (hasNode ? undefined : globalFetch);
  const send = given === undefined ? sendChecked(checkAddress) : sendByFetch(given);

  function isAllowed(kind: AddressKind): boolean {
    return allowedFrom[kind].includes(place) || (privateAddresses && kind !== 'unusable');
  }

  function checkAddress(address: string, host: string): void {
    const kind = addressKind(address) ?? 'unusable';
    // The server itself is always allowed.
    if (isAllowed(kind) || host === own.hostname) return;
    throw new AuthError(
      'unsafe_url',
      `${sanitize(host)} leads to ${sanitize(address)}, ${describeAddress(kind)}: ${advice}`,
    );
  }

  function check(text: string, what: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !isWeb(url) || url.username !== '' || url.password !== '') {
      throw new AuthError('unsafe_url', `The ${what} is not an https URL that may be used: ${sanitize(text)}`);
    }
    const kind = isLoopback(url) ? 'loopback' : addressKind(url.hostname);
    if (kind !== undefined && !isAllowed(kind)) {
      throw new AuthError('unsafe_url', `The ${what} ${sanitize(text)} leads ${describeTarget(kind)}: ${advice}`);
    }
    return url;
  }

  async function checkPage(text: string, what: string): Promise<URL> {
    const url = check(text, what);
    const isName = addressKind(url.hostname) === undefined && !isLoopback(url);
    if (given === undefined && isName) await checkName(url.hostname, checkAddress);
    return url;
  }

  async function exchange(text: string, request: TextRequest): Promise<RemoteAnswer> {
    const url = check(text, 'address');
    const { method, headers, body } = request;
    const watch = options.tap?.request({ method, url: url.href, headers, body, about: 'sign-in' });
    try {
      await watch?.ready;
      // Redirects are not followed: they could leak a code or a secret.
      const response = await send(url, { ...request, signal: AbortSignal.timeout(timeoutMs) });
      const { status } = response;
      watch?.response({ status, statusText: '', headers: response.headers() });
      const answer = await read(response, maxAnswer);
      watch?.data(answer);
      watch?.end();
      return { status, body: parse(answer), dpopNonce: response.header('dpop-nonce') };
    } catch (cause) {
      watch?.end(cause);
      if (cause instanceof AuthError) throw cause;
      throw new AuthError('unreachable', `No usable answer from ${url.origin}${url.pathname}`, { cause });
    }
  }

  return {
    namedBy: server,
    check,
    checkPage,
    get: (url) => exchange(url, { method: 'GET', headers: { Accept: 'application/json' } }),
    post: (url, { headers, body }) =>
      exchange(url, { method: 'POST', headers: { Accept: 'application/json', ...headers }, body }),
  };
}

const advice = 'only a server that is there itself may name such, unless the option privateAddresses allows it';

function describeAddress(kind: AddressKind): string {
  return kind === 'loopback' ? 'which is this machine' : `which is ${kind}`;
}

function describeTarget(kind: AddressKind): string {
  return kind === 'loopback' ? 'to this machine' : `to an address that is ${kind}`;
}

function isWeb(url: URL): boolean {
  return isLoopback(url) ? /^https?:$/.test(url.protocol) : url.protocol === 'https:';
}

/** Whether a document exists. Throws on a server error, which must not count as a missing document. */
export function hasDocument(
  answer: RemoteAnswer,
  place: string,
): answer is RemoteAnswer & { body: Readonly<Record<string, unknown>> } {
  if (answer.status >= 500) throw new AuthError('unreachable', `Status ${answer.status} from ${sanitize(place)}`);
  return answer.status === 200 && answer.body !== undefined;
}

async function read(response: RemoteResponse, maxBody: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBody) throw new RangeError(`The answer is longer than ${maxBody} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Loads the metadata of an authorization server and verifies its issuer. */
export async function findServerDocument(remote: Remote, issuer: string): Promise<Readonly<Record<string, unknown>>> {
  const url = remote.check(issuer, 'authorization server');
  if (url.search !== '' || issuer.includes('#')) {
    throw new AuthError('unsafe_url', `An issuer has neither query nor fragment: ${sanitize(issuer)}`);
  }
  const path = url.pathname.replace(/\/$/, '');
  const places = [
    `${url.origin}/.well-known/oauth-authorization-server${path}`,
    `${url.origin}/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${url.origin}${path}/.well-known/openid-configuration`]),
  ];
  for (const place of places) {
    const answer = await remote.get(place);
    if (!hasDocument(answer, place)) continue;
    if (answer.body.issuer !== issuer) {
      throw new AuthError(
        'issuer_mismatch',
        `The metadata at ${sanitize(place)} is that of another authorization server`,
      );
    }
    return answer.body;
  }
  throw new AuthError('invalid_answer', `The authorization server ${sanitize(issuer)} has no metadata`);
}
