import type { Connection } from '../../shared/connections.ts';
import { type Place, place } from './place.ts';
import type { World } from './world.ts';

/** The connection that is looked at. */
export function chosenConnection({ connections }: World, { server }: Place = place.value): Connection | undefined {
  if (server === undefined) return undefined;
  for (const connection of connections.values()) if (connection.label === server) return connection;
  return undefined;
}
