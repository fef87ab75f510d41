import { useState } from 'preact/hooks';
import { ask, get } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import type { Call } from '../model/app-state.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { useAsking } from '../components/use-request.ts';
import { CopyMenu } from './copy-menu.tsx';
import { editCall, repeatCall } from './replay.ts';
import { addresses, type WholeCall } from '../../shared/api-paths.ts';
import { theWorld, useWorld } from '../model/store.ts';
import type { Connection } from '../../shared/connections.ts';
import { shownName } from '../model/display-name.ts';
import { duration, timeOfDay } from '../components/format.ts';
import { Menu } from '../components/menu.tsx';
import type { Json } from '../form/json.ts';
import { useWholeResult } from '../result/use-full-result.ts';
import { DifferenceView } from '../diff/diff-view.tsx';
import { withReadTexts } from '../diff/diff.ts';

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

/** Saves a call in the collection, a file of the project. */
function SaveButton({ call: { start } }: { call: Call }) {
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

/** Chooses what a call is compared with: another one of the same, or the same on another connection. */
function CompareMenu({
  call,
  all,
  onCall,
  onConnection,
}: {
  call: Call;
  all: readonly Call[];
  onCall: (call: string) => void;
  onConnection: (connection: string) => void;
}) {
  const { connections } = useWorld('connections');
  const others = openedRecording.value === undefined ? othersThan(call, connections.values()) : [];
  if (all.length < 2 && others.length === 0) {
    return (
      <button type="button" class="quiet" disabled title="There is no other call, and no other server.">
        Compare
      </button>
    );
  }
  return (
    <Menu says="Compare" label="Compare with another call">
      {(close) => {
        const chosen = (choose: () => void) => () => {
          close();
          choose();
        };
        return (
          <>
            {all.map((each, index) =>
              each === call ? null : (
                <button type="button" key={each.start.call} onClick={chosen(() => onCall(each.start.call))}>
                  with call {index + 1}{' '}
                  <span class="dim small">
                    {timeOfDay(each.start.at)}
                    {each.end === undefined ? '' : ` · ${duration(each.end.ms)}`}
                  </span>
                </button>
              ),
            )}
            {others.map((each) => (
              <button type="button" key={each.id} onClick={chosen(() => onConnection(each.id))}>
                call on {shownName(each, connections.values())}{' '}
                <span class="dim small">{each.server?.protocolVersion}</span>
              </button>
            ))}
          </>
        );
      }}
    </Menu>
  );
}

function othersThan({ start }: Call, connections: Iterable<Connection>): readonly Connection[] {
  return [...connections].filter(({ id, status }) => id !== start.connection && status.is === 'connected');
}

/** How the results of two calls differ. */
function CallDifference({
  before,
  after,
  all,
  onClose,
}: {
  before: string;
  after: string;
  /** The calls of the same, by whose numbers both are known. */
  all: readonly Call[];
  onClose: () => void;
}) {
  const { calls, connections } = useWorld('calls', 'connections');
  const first = calls.get(before);
  const second = calls.get(after);
  const left = useWholeResult(first);
  const right = useWholeResult(second);
  const nameOf = (call: Call): string => {
    const number = all.indexOf(call) + 1;
    const connection = connections.get(call.start.connection);
    return number > 0 ? `call ${number}` : connection === undefined ? '' : shownName(connection, connections.values());
  };
  const named = (call: Call | undefined) =>
    call === undefined ? null : (
      <>
        {nameOf(call)} <span class="dim mono small">{call.end === undefined ? '…' : duration(call.end.ms)}</span>
      </>
    );
  return (
    <section class="box block" aria-label="Difference">
      <div class="line">
        <strong class="grow">
          {named(first)} → {named(second)}
        </strong>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      {first?.end === undefined || second?.end === undefined ? (
        <p class="dim">Waiting for both results …</p>
      ) : (
        <DifferenceView
          before={withReadTexts((left ?? first.end.error ?? null) as Json)}
          after={withReadTexts((right ?? second.end.error ?? null) as Json)}
        />
      )}
    </section>
  );
}
