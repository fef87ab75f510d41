import { useState } from 'preact/hooks';
import { addresses, type WholeCall } from '../../shared/addresses.ts';
import { ask, get } from '../model/api.ts';
import { theWorld } from '../model/state.ts';
import type { Call } from '../model/world.ts';

/** Saves a call in the collection, a file of the project. */
export function SaveButton({ call: { start } }: { call: Call }) {
  const [says, setSays] = useState('Save');
  const save = async () => {
    const { method, params } = await get<WholeCall>(addresses.call(start.call));
    const connection = theWorld().connections.get(start.connection);
    const target = theWorld().targets.find(({ id }) => id === connection?.target)?.label ?? connection?.label ?? '';
    await ask('save', { name: start.subject ?? method, target, method, params });
  };
  return (
    <button
      type="button"
      class="quiet"
      title={theWorld().collection?.file}
      onClick={() => {
        save()
          .then(() => setSays('Saved'))
          .catch((error: unknown) => setSays(error instanceof Error ? error.message : 'Not saved'))
          .finally(() => setTimeout(() => setSays('Save'), 2000));
      }}
    >
      <span aria-live="polite">{says}</span>
    </button>
  );
}
