import { type Authenticator, challengeBy } from '../../../../auth/server/authenticator.ts';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { metricsContentType, metricsText } from '../../../../features/metrics/text.ts';
import { reject, type Rejection } from '../answer/reject.ts';
import { noHeaders } from '../answer/send.ts';
import type { HttpRequest, HttpResponder } from '../bindings/binding.ts';
import { nodeBinding } from '../bindings/node.ts';
import { sendHealth, sendReadiness } from '../endpoint/health.ts';
import { createGuard, type Guard } from '../steps/guard.ts';
import { hostInUrl } from '../listener/address.ts';
import { listen, makeListener } from '../listener/listener.ts';
import type { Report } from './report.ts';

/**
 * The admin endpoint for operators, at a separate address: `/metrics`, `/healthz`, `/readyz` and optionally `/status`.
 */
export interface AdminOptions {
  /** Default: 127.0.0.1, which only this machine reaches. */
  host?: string;
  /** Default: 0, a free one. */
  port?: number;
  /** Returns the JSON that is served at `/status`. Default: no such path. */
  status?: () => unknown;
  /** Authenticates readers of the metrics and the status. Default: everyone who can reach the address. */
  auth?: Authenticator;
  /** Allows a public address without authentication. */
  publicWithoutAuth?: boolean;
  /** Names under which it may be reached beside those of this machine; numbers always may. */
  allowHosts?: readonly string[];
}

/** The address for operators while it is served. */
export interface AdminService {
  readonly url: string;
  close(): Promise<void>;
}

/** The report served at the admin endpoint. */
export interface AdminSource {
  report(): Awaitable<Report>;
  /** Called with errors. */
  reportError(message: string, error: unknown): void;
}

/** Serves the address for operators. */
export async function serveAdmin(options: AdminOptions, source: AdminSource): Promise<AdminService> {
  const { host = '127.0.0.1', port = 0, allowHosts = [] } = options;
  const endpoint: AdminEndpoint = {
    source,
    guard: createGuard({ allowHosts: [...allowHosts, hostInUrl(host)] }),
    auth: options.auth,
    status: options.status,
  };
  const http = await makeListener(nodeBinding((request, responder) => serveOperator(endpoint, request, responder)));
  const bound = await listen(http, host, port);
  http.on('error', (error) => source.reportError('Unexpected error of the address for operators', error));
  return {
    url: `http://${hostInUrl(host)}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

interface AdminEndpoint {
  readonly source: AdminSource;
  readonly guard: Guard;
  readonly auth: Authenticator | undefined;
  readonly status: AdminOptions['status'];
}

async function serveOperator(endpoint: AdminEndpoint, http: HttpRequest, responder: HttpResponder): Promise<void> {
  const { source } = endpoint;
  try {
    if (http.path === '/healthz') return sendHealth(http.method, responder, 'ok');
    if (http.path === '/readyz') return sendReadiness(http.method, responder, (await source.report()).readiness);
    const rejection = checkOrigin(endpoint, http) ?? checkPath(endpoint, http) ?? (await authenticate(endpoint, http));
    if (rejection !== undefined) return reject({ responder, headers: noHeaders }, rejection);
    const isStatus = http.path === '/status';
    const text = isStatus ? JSON.stringify(endpoint.status?.()) : metricsText((await source.report()).families);
    const type = isStatus ? 'application/json' : metricsContentType;
    const headers = ['Content-Type', type, 'Cache-Control', 'no-store'];
    responder.send(200, headers, http.method === 'HEAD' ? undefined : text);
  } catch (error) {
    source.reportError('Unexpected error at the address for operators', error);
    reject({ responder, headers: noHeaders }, { status: 500, message: 'Internal error' });
  }
}

const number = /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/**
 * Rejects requests of web pages. A page can map its own name to this address (DNS rebinding), but not an IP address:
 * requests by IP address, as metric scrapers send them, come from no page.
 */
function checkOrigin({ guard }: AdminEndpoint, http: HttpRequest): Rejection | undefined {
  if (http.header('origin') !== undefined) return { status: 403, message: 'Web pages are not served here' };
  return number.test(http.header('host') ?? '') ? undefined : guard.check(http);
}

function checkPath({ status }: AdminEndpoint, { path, method }: HttpRequest): Rejection | undefined {
  const isKnown = path === '/metrics' || (path === '/status' && status !== undefined);
  if (!isKnown) return { status: 404, message: 'Not found: there are /metrics, /healthz and /readyz' };
  if (method === 'GET' || method === 'HEAD') return undefined;
  return { status: 405, message: 'Use GET or HEAD', headers: { Allow: 'GET, HEAD' } };
}

async function authenticate({ auth }: AdminEndpoint, http: HttpRequest): Promise<Rejection | undefined> {
  if (auth === undefined) return undefined;
  const caller = await auth.authenticate(http);
  if (caller !== undefined) return 'principal' in caller ? undefined : caller;
  return auth.anonymous === true ? undefined : challengeBy(auth, http, { needed: [], caller });
}
