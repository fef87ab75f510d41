import type { Connection } from '../../shared/connections.ts';
import { addressOf, amend, place } from './route.ts';
import { firstSection } from './selectors.ts';
import type { World } from './app-state.ts';

let isOpening = false;
let led = '';

/** Looks whether the page is opened without a place; an address that names one, as after a reload, is kept. */
export function noteOpening(): void {
  isOpening = location.hash === '';
}

/** Whoever opens the page with servers sees the first of them that works, until they go elsewhere. */
export function leadToServer({ connections }: World): void {
  if (isOpening && location.hash !== led) isOpening = false;
  const all = [...connections.values()];
  const best = all.find(({ status }) => status.is === 'connected' || status.is === 'connecting') ?? all[0];
  if (!isOpening || best === undefined) return;
  lead(best);
  if (best.status.is === 'connected') isOpening = false;
}

function lead(connection: Connection): void {
  const there = { server: connection.label, section: firstSection(connection) };
  led = addressOf(there);
  if (place.value.server !== there.server || place.value.section !== there.section) amend(there);
}
