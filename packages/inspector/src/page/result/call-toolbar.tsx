import { useState } from 'preact/hooks';
import { apiPaths, type FullCall } from '../../shared/api-paths.ts';
import type { Connection } from '../../shared/connections.ts';
import type { Json } from '../../shared/json.ts';
import { Button, Menu } from '../components/controls.tsx';
import { formatDuration, formatTime } from '../components/format.ts';
import { ProblemBox, useOutcomeLabel, useRequest } from '../components/use-request.tsx';
import { DiffView } from '../diff/diff-view.tsx';
import { parseJsonTexts } from '../diff/diff.ts';
import { fetchJson, request } from '../model/api.ts';
import type { Call } from '../model/app-state.ts';
import { displayName } from '../model/display-name.ts';
import { editCall, replayCall } from '../model/replay.ts';
import { openedRecording } from '../model/route.ts';
import { getAppState, useAppState } from '../model/store.ts';
import { useFullResult } from '../model/use-full-result.ts';
import { CopyMenu } from './copy-menu.tsx';

/** Actions on a call: previous and next, repeat, edit, copy, save, compare. */
export function CallToolbar({
  call,
  all,
  onShow,
}: {
  call: Call;
  all: readonly Call[];
  onShow: (call: string | undefined) => void;
}) {
  const [comparedWith, setComparedWith] = useState<string | undefined>();
  const pending = useRequest();
  const index = all.indexOf(call);
  const isRecorded = openedRecording.value !== undefined;
  return (
    <>
      <div class="call-toolbar">
        <h2>Result</h2>
        {all.length > 1 ? (
          <span class="line tight">
            <Button
              class="quiet"
              aria-label="Previous call"
              disabled={index <= 0}
              onClick={() => onShow(all[index - 1]?.start.call)}
            >
              ‹
            </Button>
            <span class="dim small">
              {index + 1} of {all.length}
            </span>
            <Button
              class="quiet"
              aria-label="Next call"
              disabled={index === all.length - 1}
              onClick={() => onShow(all[index + 1]?.start.call)}
            >
              ›
            </Button>
          </span>
        ) : null}
        <span class="grow" />
        {isRecorded ? (
          <CopyMenu call={call} />
        ) : (
          <>
            <Button
              class="quiet"
              id="repeat"
              title="r"
              pending={pending}
              run={() => replayCall(call, () => onShow(undefined))}
            >
              Repeat
            </Button>
            <Button class="quiet" id="edit" title="e" onClick={() => pending.run(() => editCall(call))}>
              Edit
            </Button>
            <CopyMenu call={call} />
            <SaveButton call={call} />
          </>
        )}
        <CompareMenu
          call={call}
          all={all}
          onCall={setComparedWith}
          onConnection={(connection) =>
            pending.run(async () =>
              setComparedWith((await request('repeat', { call: call.start.call, connection })).call),
            )
          }
        />
      </div>
      <ProblemBox error={pending.error} />
      {comparedWith === undefined ? null : (
        <CallDiff before={comparedWith} after={call.start.call} all={all} onClose={() => setComparedWith(undefined)} />
      )}
    </>
  );
}

/** Saves a call to the project's saved requests. */
function SaveButton({ call: { start } }: { call: Call }) {
  const { label, run } = useOutcomeLabel({ idle: 'Save', done: 'Saved', failed: 'Not saved' });
  const save = async () => {
    const { method, params } = await fetchJson<FullCall>(apiPaths.call(start.call));
    const connection = getAppState().connections.get(start.connection);
    const target = getAppState().targets.find(({ id }) => id === connection?.target)?.label ?? connection?.label ?? '';
    await request('save', { name: start.subject ?? method, target, method, params });
  };
  return (
    <Button class="quiet" title={getAppState().collection?.file} onClick={() => void run(save())}>
      <span aria-live="polite">{label}</span>
    </Button>
  );
}

/** Selects what to compare a call with: another call, or the same call on another connection. */
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
  const { connections } = useAppState('connections');
  const others = openedRecording.value === undefined ? otherConnections(call, connections.values()) : [];
  if (all.length < 2 && others.length === 0) {
    return (
      <Button class="quiet" disabled title="There is no other call or server to compare with.">
        Compare
      </Button>
    );
  }
  return (
    <Menu text="Compare" label="Compare with another call">
      {(close) => {
        const closeAndRun = (choose: () => void) => () => {
          close();
          choose();
        };
        return (
          <>
            {all.map((each, index) =>
              each === call ? null : (
                <button type="button" key={each.start.call} onClick={closeAndRun(() => onCall(each.start.call))}>
                  with call {index + 1}{' '}
                  <span class="dim small">
                    {formatTime(each.start.at)}
                    {each.end === undefined ? '' : ` · ${formatDuration(each.end.ms)}`}
                  </span>
                </button>
              ),
            )}
            {others.map((each) => (
              <button type="button" key={each.id} onClick={closeAndRun(() => onConnection(each.id))}>
                call on {displayName(each, connections.values())}{' '}
                <span class="dim small">{each.server?.protocolVersion}</span>
              </button>
            ))}
          </>
        );
      }}
    </Menu>
  );
}

function otherConnections({ start }: Call, connections: Iterable<Connection>): readonly Connection[] {
  return [...connections].filter(({ id, status }) => id !== start.connection && status.is === 'connected');
}

/** Diff of two results. */
function CallDiff({
  before,
  after,
  all,
  onClose,
}: {
  before: string;
  after: string;
  /** Calls of the same subject, which number both. */
  all: readonly Call[];
  onClose: () => void;
}) {
  const { calls, connections } = useAppState('calls', 'connections');
  const first = calls.get(before);
  const second = calls.get(after);
  const left = useFullResult(first);
  const right = useFullResult(second);
  const nameOf = (call: Call): string => {
    const number = all.indexOf(call) + 1;
    const connection = connections.get(call.start.connection);
    return number > 0
      ? `call ${number}`
      : connection === undefined
        ? ''
        : displayName(connection, connections.values());
  };
  const renderCall = (call: Call | undefined) =>
    call === undefined ? null : (
      <>
        {nameOf(call)} <span class="dim mono small">{call.end === undefined ? '…' : formatDuration(call.end.ms)}</span>
      </>
    );
  return (
    <section class="box block" aria-label="Difference">
      <div class="line">
        <strong class="grow">
          {renderCall(first)} → {renderCall(second)}
        </strong>
        <Button class="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      {first?.end === undefined || second?.end === undefined ? (
        <p class="dim">Waiting for both results …</p>
      ) : (
        <DiffView
          before={parseJsonTexts((left ?? first.end.error ?? null) as Json)}
          after={parseJsonTexts((right ?? second.end.error ?? null) as Json)}
        />
      )}
    </section>
  );
}
