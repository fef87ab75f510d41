import { ask } from '../model/api.ts';
import { chosenConnection } from '../model/chosen.ts';
import { goTo, place } from '../model/place.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { theWorld } from '../model/state.ts';

/** Goes to a resource, which is read at once: whoever follows a link wants to see it. */
export async function readLinked(uri: string): Promise<void> {
  const connection = openedRecording.value === undefined ? chosenConnection(theWorld()) : undefined;
  goTo({ server: place.value.server, section: 'resources', name: uri });
  if (connection?.status.is !== 'connected') return;
  // What goes wrong is told there.
  await ask('call', { connection: connection.id, method: 'resources/read', params: { uri } }).catch(() => {});
}
