import { useState } from 'preact/hooks';
import { ask } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { shownName } from '../model/shown-name.ts';
import { useWorld } from '../model/state.ts';
import type { Call } from '../model/world.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';
import { CallDifference } from './call-difference.tsx';
import { CopyMenu } from './copy-menu.tsx';
import { SaveButton } from './save-button.tsx';
import { editCall, repeatCall } from './repeat.ts';

/** What can be done with a call that was made: look at another, repeat, edit, copy, save, compare. */
export function AgainBar({
  call,
  all,
  onShow,
}: {
  call: Call;
  all: readonly Call[];
  onShow: (call: string | undefined) => void;
  callable: unknown;
}) {
  const { connections } = useWorld('connections');
  const [against, setAgainst] = useState<string | undefined>();
  const asking = useAsking();
  const index = all.indexOf(call);
  const isRecorded = openedRecording.value !== undefined;
  const others = [...connections.values()].filter(
    ({ id, status }) => id !== call.start.connection && status.is === 'connected',
  );
  return (
    <>
      <div class="again-bar">
        <h2>Result</h2>
        {all.length > 1 ? (
          <span class="line tight">
            <button
              type="button"
              class="quiet"
              aria-label="The call before"
              disabled={index <= 0}
              onClick={() => onShow(all[index - 1]?.start.call)}
            >
              ‹
            </button>
            <span class="dim small">
              {index + 1} of {all.length}
            </span>
            <button
              type="button"
              class="quiet"
              aria-label="The call after"
              disabled={index === all.length - 1}
              onClick={() => onShow(all[index + 1]?.start.call)}
            >
              ›
            </button>
          </span>
        ) : null}
        <span class="grow" />
        {isRecorded ? (
          <CopyMenu call={call} />
        ) : (
          <>
            <button
              type="button"
              class="quiet"
              id="repeat"
              title="r"
              disabled={asking.busy}
              onClick={() => asking.run(() => repeatCall(call, () => onShow(undefined)))}
            >
              Repeat
            </button>
            <button type="button" class="quiet" id="edit" title="e" onClick={() => asking.run(() => editCall(call))}>
              Edit
            </button>
            <CopyMenu call={call} />
            <SaveButton call={call} />
          </>
        )}
        <select
          class="quiet"
          aria-label="Compare with another call"
          value={against ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget;
            const [, connection] = /^on (.*)$/.exec(value) ?? [];
            if (connection === undefined) return setAgainst(value === '' ? undefined : value);
            asking.run(async () => setAgainst((await ask('repeat', { call: call.start.call, connection })).call));
          }}
          disabled={all.length < 2 && others.length === 0}
        >
          <option value="">Compare …</option>
          {all.map((each, number) =>
            each === call ? null : (
              <option key={each.start.call} value={each.start.call}>
                with call {number + 1}
              </option>
            ),
          )}
          {isRecorded
            ? null
            : others.map((each) => (
                <option key={each.id} value={`on ${each.id}`}>
                  call on {shownName(each, connections.values())}, {each.server?.protocolVersion}
                </option>
              ))}
        </select>
      </div>
      <ProblemBox error={asking.error} />
      {against === undefined ? null : (
        <CallDifference before={against} after={call.start.call} onClose={() => setAgainst(undefined)} />
      )}
    </>
  );
}
