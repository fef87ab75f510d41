import type { HttpHeaders, HttpResponder } from '../bindings/binding.ts';
import type { Store } from '../../../../stores/store.ts';

/** The paths of health checks. */
export interface HealthPaths {
  /** Liveness: answers as long as the process runs. Default: `/healthz`. */
  live?: string;
  /** Readiness: whether requests should be sent here. Default: `/readyz`. */
  ready?: string;
}

/** Whether requests should be sent to a server, or why not: it begins, it ends, or its store can't be used. */
export type Readiness = 'ready' | 'starting' | 'closing' | 'store';

/** The conditions of readiness. */
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

const headers: HttpHeaders = ['Content-Type', 'text/plain; charset=utf-8', 'Cache-Control', 'no-store'];

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
