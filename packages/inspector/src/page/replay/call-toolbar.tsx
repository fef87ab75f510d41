import { useState } from 'preact/hooks';
import { request, fetchJson } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import type { Call } from '../model/app-state.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { useRequest } from '../components/use-request.ts';
import { CopyMenu } from './copy-menu.tsx';
import { editCall, replayCall } from './replay.ts';
import { apiPaths, type FullCall } from '../../shared/api-paths.ts';
import { getAppState, useAppState } from '../model/store.ts';
import type { Connection } from '../../shared/connections.ts';
import { displayName } from '../model/display-name.ts';
import { formatDuration, formatTime } from '../components/format.ts';
import { Menu } from '../components/menu.tsx';
import type { Json } from '../form/json.ts';
import { useFullResult } from '../result/use-full-result.ts';
import { DiffView } from '../diff/diff-view.tsx';
import { parseJsonTexts } from '../diff/diff.ts';

/** Actions on a call: previous and next, repeat, edit, copy, save, compare. */
export function CallToolbar({
  call,
  all,
  onShow,
}: {
  call: Call;
  all: readonly Call[];
  onShow: (call: string | undefined) => void;
  callable: unknown;
}) {
  const [comparedWith, setAgainst] = useState<string | undefined>();
  const pending = useRequest();
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
              aria-label="Previous call"
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
              aria-label="Next call"
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
              disabled={pending.busy}
              onClick={() => pending.run(() => replayCall(call, () => onShow(undefined)))}
            >
              Repeat
            </button>
            <button type="button" class="quiet" id="edit" title="e" onClick={() => pending.run(() => editCall(call))}>
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
            pending.run(async () => setAgainst((await request('repeat', { call: call.start.call, connection })).call))
          }
        />
      </div>
      <ProblemBox error={pending.error} />
      {comparedWith === undefined ? null : (
        <CallDiff before={comparedWith} after={call.start.call} all={all} onClose={() => setAgainst(undefined)} />
      )}
    </>
  );
}

/** Saves a call to the project's saved requests. */
function SaveButton({ call: { start } }: { call: Call }) {
  const [says, setSays] = useState('Save');
  const save = async () => {
    const { method, params } = await fetchJson<FullCall>(apiPaths.call(start.call));
    const connection = getAppState().connections.get(start.connection);
    const target = getAppState().targets.find(({ id }) => id === connection?.target)?.label ?? connection?.label ?? '';
    await request('save', { name: start.subject ?? method, target, method, params });
  };
  return (
    <button
      type="button"
      class="quiet"
      title={getAppState().collection?.file}
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
      <button type="button" class="quiet" disabled title="There is no other call or server to compare with.">
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
                    {formatTime(each.start.at)}
                    {each.end === undefined ? '' : ` · ${formatDuration(each.end.ms)}`}
                  </span>
                </button>
              ),
            )}
            {others.map((each) => (
              <button type="button" key={each.id} onClick={chosen(() => onConnection(each.id))}>
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
  const named = (call: Call | undefined) =>
    call === undefined ? null : (
      <>
        {nameOf(call)} <span class="dim mono small">{call.end === undefined ? '…' : formatDuration(call.end.ms)}</span>
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
        <DiffView
          before={parseJsonTexts((left ?? first.end.error ?? null) as Json)}
          after={parseJsonTexts((right ?? second.end.error ?? null) as Json)}
        />
      )}
    </section>
  );
}
