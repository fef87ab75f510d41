import type { Connection } from '../../shared/connections.ts';
import { formatRoute, replaceRoute, route } from './route.ts';
import { firstSection } from './selectors.ts';
import type { AppState } from './app-state.ts';

let isFreshOpen = false;
let initialAddress = '';

/** Detects whether the page was opened without a route; an existing route, as after a reload, stays. */
export function detectFreshOpen(): void {
  isFreshOpen = location.hash === '';
}

/** Routes a freshly opened page to the first working server, until the user navigates. */
export function routeToFirstServer({ connections }: AppState): void {
  if (isFreshOpen && location.hash !== initialAddress) isFreshOpen = false;
  const all = [...connections.values()];
  const best = all.find(({ status }) => status.is === 'connected' || status.is === 'connecting') ?? all[0];
  if (!isFreshOpen || best === undefined) return;
  routeTo(best);
  if (best.status.is === 'connected') isFreshOpen = false;
}

function routeTo(connection: Connection): void {
  const there = { server: connection.label, section: firstSection(connection) };
  initialAddress = formatRoute(there);
  if (route.value.server !== there.server || route.value.section !== there.section) replaceRoute(there);
}
