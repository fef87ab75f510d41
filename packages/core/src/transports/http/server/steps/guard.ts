import { quoteBriefly } from '../../../../jsonrpc/errors.ts';
import type { HttpHeaders, HttpRequest } from '../bindings/binding.ts';
import { reject, type Rejection } from '../answer/reject.ts';
import { noHeaders } from '../answer/send.ts';
import type { Step } from './step.ts';

/** Host names and origins that are allowed beside those of this machine. */
export interface GuardOptions {
  /** Host names, with or without a port, under which the endpoint may be reached beside those of this machine. */
  allowHosts?: readonly string[];
  /** Origins, such as `https://app.example`, whose pages may call beside those of this machine. `*` allows all. */
  allowOrigins?: readonly string[];
}

/** Protects against DNS rebinding and cross-origin requests: checks the Host and Origin headers. */
export interface Guard {
  /** The rejection of a host or origin that is not allowed. */
  check(request: HttpRequest): Rejection | undefined;
  /** CORS headers for an allowed origin. */
  cors(request: HttpRequest): HttpHeaders;
  /** Headers of the answer to a CORS preflight. */
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

/** Answers 403 to hosts and origins that are not allowed, without CORS headers. Adds CORS headers to the response of all others. */
export function guard(checks: Guard): Step {
  return (next) => (context) => {
    const { http, responder } = context;
    const rejection = checks.check(http);
    if (rejection !== undefined) return reject({ responder, headers: noHeaders }, rejection);
    if (http.header('origin') !== undefined) context.headers = checks.cors(http);
    return next(context);
  };
}

/** Answers CORS preflights. It is a step only where pages of other origins may call. */
export function answerPreflights(checks: Guard): Step {
  return (next) => (context) => {
    const { http, responder, headers } = context;
    if (http.method !== 'OPTIONS') return next(context);
    return responder.send(204, [...headers, ...checks.preflight(http)]);
  };
}

/** Makes the checks of a guard. `keyHeaders` are headers with credentials that pages may send. */
export function createGuard(
  { allowHosts = [], allowOrigins = [] }: GuardOptions,
  keyHeaders: string | readonly string[] = [],
): Guard {
  const hosts = new Set([...ownNames, ...allowHosts].map((host) => host.toLowerCase()));
  const origins = new Set(allowOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  const sendable = new Set([...requestHeaders, ...[keyHeaders].flat().map((name) => name.toLowerCase())]);

  /** Most requests have the same Host header as the one before. */
  let lastAllowed: string | undefined;

  function hostAllowed(host: string): boolean {
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
      if (host !== lastAllowed && !hostAllowed(host)) {
        return {
          status: 403,
          message: `Host not allowed: ${quoteBriefly(host)}. Add it with the allowHosts option (--allow-host)`,
        };
      }
      const origin = request.header('origin');
      if (origin === undefined || originAllowed(origin)) return undefined;
      return {
        status: 403,
        message: `Origin not allowed: ${quoteBriefly(origin)}. Add it with the allowOrigins option (--allow-origin)`,
      };
    },

    cors(request) {
      const origin = request.header('origin');
      if (origin === undefined) return noHeaders;
      return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed, 'Vary', 'Origin'];
    },

    preflight(request) {
      const wanted = (request.header('access-control-request-headers') ?? '').toLowerCase().split(/[\s,]+/);
      const allowed = wanted.filter((name) => sendable.has(name) || /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name));
      const methods = ['Access-Control-Allow-Methods', 'POST, GET, DELETE', 'Access-Control-Max-Age', '600'];
      return [...methods, 'Access-Control-Allow-Headers', allowed.join(', ')];
    },
  };
}
