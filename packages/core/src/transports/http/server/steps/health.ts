import { type HealthPaths, readinessOf, sendHealth, sendReadiness } from '../endpoint/health.ts';
import { findRoute, type Routes } from './route.ts';
import type { Step } from './step.ts';

/** Answers health checks. It comes before `guard`: a probe calls by an address that no option allows. */
export function answerHealthChecks({ live = '/healthz', ready = '/readyz' }: HealthPaths, routes: Routes): Step {
  return (next) => (context) => {
    const { http, responder, endpoint } = context;
    const { path, mount } = http;
    const below = path.slice(mount.length);
    const isLive = path === live || below === live;
    if ((!isLive && path !== ready && below !== ready) || findRoute(routes, http) !== undefined) return next(context);
    if (isLive) return sendHealth(http.method, responder, 'ok');
    return sendReadiness(http.method, responder, readinessOf(endpoint));
  };
}
