import { useEffect, useState } from 'preact/hooks';
import { ask } from '../model/api.ts';
import { useWorld } from '../model/state.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';

/** Lets a model answer what a server asks without anybody looking at it; off at every start. */
export function ByItselfSwitch({ connection }: { connection: string }) {
  const state = useWorld('questions').byItself.get(connection);
  const asking = useAsking();
  const isOn = state?.on === true;
  // Until the inspector has said how it is, the switch stays where it was put.
  const [put, setPut] = useState<boolean | undefined>();
  useEffect(() => setPut(undefined), [state, asking.error]);
  return (
    <>
      <label class="line" title="From the next question on, bounded in number and tokens; nobody looks at the answers">
        <input
          type="checkbox"
          checked={put ?? isOn}
          disabled={asking.busy}
          onChange={(event) => {
            const on = event.currentTarget.checked;
            setPut(on);
            asking.run(() => ask('answer-by-itself', { connection, on }));
          }}
        />
        <span class={isOn ? 'note' : 'dim'}>Answers by itself</span>
        {isOn && state.answers > 0 ? (
          <span class="dim small">
            {state.answers} so far, {state.tokens} tokens
          </span>
        ) : null}
      </label>
      {state?.says === undefined ? null : <span class="note small">▲ {state.says}</span>}
      <ProblemBox error={asking.error} />
    </>
  );
}
