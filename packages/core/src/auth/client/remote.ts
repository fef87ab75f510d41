import { isObject } from '../../jsonrpc/message.ts';
import { AuthError, shown } from './auth-error.ts';
import { limits } from '../../limits.ts';

/** How requests to an authorization server are sent. */
export interface RemoteOptions {
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: typeof fetch;
  /** How long one request may take. Default: 30 s. */
  timeoutMs?: number;
}

/** What came back. */
export interface RemoteAnswer {
  readonly status: number;
  /** The JSON object in the body, if that is what it holds. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly dpopNonce: string | undefined;
}

/** Reaches the addresses that servers name: none but safe ones, within limits of size and time, following nothing. */
export interface Remote {
  get(url: string): Promise<RemoteAnswer>;
  post(url: string, request: { headers: Record<string, string>; body: string }): Promise<RemoteAnswer>;
  /** The URL, if it is one that may be used; `what` says what it is for. */
  check(url: string, what: string): URL;
}

const maxBody = limits.clientAuth.answer.value;
const otherNamesOfHere = /^(?:0\.0\.0\.0|\[::\]|\[::ffff:.*\])$/;

/** Makes the way to the addresses that the server at `serverUrl` names, itself or by way of others. */
export function createRemote(serverUrl: string, options: RemoteOptions): Remote {
  const { fetch: send = fetch, timeoutMs = limits.clientAuth.timeoutMs.value } = options;
  // A server elsewhere must not send us to what listens on this machine.
  const mayStayHere = isLoopback(new URL(serverUrl));

  function check(text: string, what: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !isSafe(url) || url.username !== '' || url.password !== '') {
      throw new AuthError('unsafe_url', `The ${what} is not an https URL that may be used: ${shown(text)}`);
    }
    return url;
  }

  function isSafe(url: URL): boolean {
    if (otherNamesOfHere.test(url.hostname)) return false;
    return isLoopback(url) ? mayStayHere && /^https?:$/.test(url.protocol) : url.protocol === 'https:';
  }

  async function exchange(text: string, init: RequestInit): Promise<RemoteAnswer> {
    const url = check(text, 'address');
    try {
      // Redirects are answers that refuse: who follows one may take a code or a secret to somebody else.
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await send(url, { ...init, redirect: 'manual', signal });
      return {
        status: response.status,
        body: parse(await read(response)),
        dpopNonce: response.headers.get('dpop-nonce') ?? undefined,
      };
    } catch (cause) {
      throw new AuthError('unreachable', `No usable answer from ${url.origin}${url.pathname}`, { cause });
    }
  }

  return {
    check,
    get: (url) => exchange(url, { headers: { Accept: 'application/json' } }),
    post: (url, { headers, body }) =>
      exchange(url, { method: 'POST', headers: { Accept: 'application/json', ...headers }, body }),
  };
}

/** Whether the URL leads to this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/.test(hostname);
}

/** Whether there is a document. A server in trouble is not one without: taking it for that would weaken the checks. */
export function isThere(
  answer: RemoteAnswer,
  place: string,
): answer is RemoteAnswer & { body: Readonly<Record<string, unknown>> } {
  if (answer.status >= 500) throw new AuthError('unreachable', `Status ${answer.status} from ${shown(place)}`);
  return answer.status === 200 && answer.body !== undefined;
}

async function read(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
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
