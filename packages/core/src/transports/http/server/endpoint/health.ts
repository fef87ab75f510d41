import type { HttpHeaders, HttpRequest, HttpResponder } from '../bindings/binding.ts';
import type { Store } from '../../../../stores/store.ts';

/** Where a server says that it is well. */
export interface HealthPaths {
  /** Answers as long as the process does anything at all. Default: `/healthz`. */
  live?: string;
  /** Answers whether requests should be sent here. Default: `/readyz`. */
  ready?: string;
}

/** Whether requests should be sent to a server, or why not: it begins, it ends, or its store can't be used. */
export type Readiness = 'ready' | 'starting' | 'closing' | 'store';

/** What readiness depends on. */
export interface ReadinessFacts {
  readonly closing: boolean;
  readonly starting: unknown;
  readonly store: Pick<Store, 'status'>;
}

/** Says whether requests should be sent to an endpoint. */
export function readinessOf({ closing, starting, store }: ReadinessFacts): Readiness {
  if (closing) return 'closing';
  if (starting !== undefined) return 'starting';
  return store.status?.().ready === false ? 'store' : 'ready';
}

/** An endpoint, as far as its health is concerned. */
interface Watched extends ReadinessFacts {
  readonly health: HealthPaths | undefined;
}

/**
 * Answers a request that asks whether the server is well; false where it asks for something else. It is answered to anybody,
 * since a word is all that there is to read.
 */
export function tellHealth(endpoint: Watched, http: HttpRequest, responder: HttpResponder): boolean {
  const { health } = endpoint;
  if (health === undefined) return false;
  const { live = '/healthz', ready = '/readyz' } = health;
  const { path, mount } = http;
  const below = path.slice(mount.length);
  if (path === live || below === live) sendHealth(http.method, responder, 'ok');
  else if (path === ready || below === ready) sendReadiness(http.method, responder, readinessOf(endpoint));
  else return false;
  return true;
}

const headers: HttpHeaders = [
  'Content-Type',
  'text/plain; charset=utf-8',
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
];

/** Answers whether requests should be sent here: 200, or 503 with one word. */
export function sendReadiness(method: string, responder: HttpResponder, readiness: Readiness): void {
  if (readiness === 'ready') sendHealth(method, responder, 'ok');
  else sendHealth(method, responder, readiness, 503);
}

/** Answers with one word. */
export function sendHealth(method: string, responder: HttpResponder, word: string, status = 200): void {
  if (method === 'HEAD') responder.send(status, headers);
  else if (method === 'GET') responder.send(status, headers, `${word}\n`);
  else responder.send(405, [...headers, 'Allow', 'GET, HEAD'], 'Use GET or HEAD\n');
}
