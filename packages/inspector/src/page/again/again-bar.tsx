import { useState } from 'preact/hooks';
import { ask } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import type { Call } from '../model/world.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';
import { CallDifference } from './call-difference.tsx';
import { CompareMenu } from './compare-menu.tsx';
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
  const [against, setAgainst] = useState<string | undefined>();
  const asking = useAsking();
  const index = all.indexOf(call);
  const isRecorded = openedRecording.value !== undefined;
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
        <CompareMenu
          call={call}
          all={all}
          onCall={setAgainst}
          onConnection={(connection) =>
            asking.run(async () => setAgainst((await ask('repeat', { call: call.start.call, connection })).call))
          }
        />
      </div>
      <ProblemBox error={asking.error} />
      {against === undefined ? null : (
        <CallDifference before={against} after={call.start.call} all={all} onClose={() => setAgainst(undefined)} />
      )}
    </>
  );
}
