import { addresses } from '../../shared/addresses.ts';
import { worldOf } from '../again/world-of.ts';
import { getFile } from '../model/api.ts';
import { liveWorld } from '../model/state.ts';
import type { World } from '../model/world.ts';
import { recordingOf } from './recordings.ts';
import type { SessionName } from './session-name.ts';

/** A session that was read: the world that has it, and its connection there. */
export interface LoadedSession {
  readonly name: SessionName;
  readonly world: World;
  readonly connection: string;
}

/** Reads a session: from its recording, or what is known of it now. */
export async function loadSession(name: SessionName): Promise<LoadedSession> {
  const { label, file } = name;
  if (file === undefined) {
    const connection = connectionIn(liveWorld(), label);
    if (connection === undefined) throw new Error(`No connection is called ${label}.`);
    const text = await (await getFile(addresses.session(connection))).text();
    return { name, world: worldOf(text), connection };
  }
  const world = await recordingOf(file);
  const connection = connectionIn(world, label);
  if (connection === undefined) throw new Error(`The recording ${file} has no connection ${label}.`);
  return { name: { file, label: world.connections.get(connection)?.label ?? '' }, world, connection };
}

/** The connection of a label; without one, the first that reached its server. */
function connectionIn({ connections }: World, label: string): string | undefined {
  const all = [...connections.values()];
  const found =
    label === ''
      ? (all.find(({ server }) => server !== undefined) ?? all[0])
      : all.find((each) => each.label === label);
  return found?.id;
}
