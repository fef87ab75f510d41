import { quotedBriefly } from '../../../../jsonrpc/errors.ts';
import type { HttpHeaders, HttpRequest } from '../bindings/binding.ts';
import { type Refusal } from '../answer/refusal.ts';
import { noHeaders } from '../answer/send.ts';

/** Which names and origins are let in beside those of this machine. */
export interface GuardOptions {
  /** Host names, with or without a port, under which the endpoint may be reached beside those of this machine. */
  allowHosts?: readonly string[];
  /** Origins, such as `https://app.example`, whose pages may call beside those of this machine. `*` allows all. */
  allowOrigins?: readonly string[];
}

/** Keeps web pages of strangers out: decides by the Host and Origin headers. */
export interface Guard {
  /** What is wrong with where the request came from, if anything. */
  check(request: HttpRequest): Refusal | undefined;
  /** Headers that let an allowed page read the answer. */
  cors(request: HttpRequest): HttpHeaders;
  /** True where pages of other origins may call: only then browsers ask before their real requests. */
  readonly answersPreflights: boolean;
  /** Headers that answer a browser's question before its real request. */
  preflight(request: HttpRequest): HttpHeaders;
}

const ownNames = ['localhost', '127.0.0.1', '[::1]'];

const requestHeaders = [
  'accept',
  'authorization',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
];

const exposed =
  'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, DPoP-Nonce, Retry-After, RateLimit, RateLimit-Policy';

/** Makes a guard. `keyHeaders` are headers of the caller's own that pages must be allowed to send. */
export function createGuard(
  { allowHosts = [], allowOrigins = [] }: GuardOptions,
  keyHeaders: string | readonly string[] = [],
): Guard {
  const hosts = new Set([...ownNames, ...allowHosts].map((host) => host.toLowerCase()));
  const origins = new Set(allowOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  const sendable = new Set([...requestHeaders, ...[keyHeaders].flat().map((name) => name.toLowerCase())]);

  /** Most requests name the same host as the one before. */
  let lastAllowed: string | undefined;

  function hostAllowed(host: string): boolean {
    if (host === lastAllowed) return true;
    const lower = host.toLowerCase();
    if (!hosts.has('*') && !hosts.has(lower) && !hosts.has(lower.replace(/:\d{1,5}$/, ''))) return false;
    lastAllowed = host;
    return true;
  }

  function originAllowed(origin: string): boolean {
    const lower = origin.toLowerCase();
    if (origins.has('*') || origins.has(lower)) return true;
    const name = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.exec(lower);
    return name !== null;
  }

  return {
    check(request) {
      const host = request.header('host') ?? '';
      if (!hostAllowed(host)) {
        return {
          status: 403,
          message: `Host not allowed: ${quotedBriefly(host)}. Add it with the allowHosts option (--allow-host)`,
        };
      }
      const origin = request.header('origin');
      if (origin === undefined || originAllowed(origin)) return undefined;
      return {
        status: 403,
        message: `Origin not allowed: ${quotedBriefly(origin)}. Add it with the allowOrigins option (--allow-origin)`,
      };
    },

    cors(request) {
      const origin = request.header('origin');
      if (origin === undefined) return noHeaders;
      return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed, 'Vary', 'Origin'];
    },

    answersPreflights: origins.size > 0,

    preflight(request) {
      const wanted = (request.header('access-control-request-headers') ?? '').toLowerCase().split(/[\s,]+/);
      const allowed = wanted.filter((name) => sendable.has(name) || /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name));
      const methods = ['Access-Control-Allow-Methods', 'POST, GET, DELETE', 'Access-Control-Max-Age', '600'];
      return [...methods, 'Access-Control-Allow-Headers', allowed.join(', ')];
    },
  };
}
