import type { Connection } from '../../shared/connections.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { useWorld } from '../model/state.ts';
import { ByItselfSwitch } from './by-itself-switch.tsx';
import { ModelSetUp } from './model-set-up.tsx';

/** Who answers what a server asks of a model: the person, or a model that was set up. */
export function ModelOfConnection({ connection }: { connection: Connection }) {
  const { model } = useWorld('questions');
  if (openedRecording.value !== undefined || connection.terms.sampling === false) return null;
  return (
    <div class="block">
      <ModelSetUp />
      {model === undefined ? null : (
        <div class="line">
          <ByItselfSwitch connection={connection.id} />
        </div>
      )}
    </div>
  );
}
