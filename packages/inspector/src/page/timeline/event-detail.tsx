import { useEffect, useState } from 'preact/hooks';
import { apiPaths } from '../../shared/api-paths.ts';
import type { InspectorEvent } from '../../shared/events.ts';
import { editCall, replayCall, sectionForMethod } from '../replay/replay.ts';
import { isRecord, type Json } from '../form/json.ts';
import { fetchJson } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { useAppState } from '../model/store.ts';
import type { Call, AppState } from '../model/app-state.ts';
import { formatDuration, formatBytes, formatTime } from '../components/format.ts';
import { Tabs } from '../components/tabs.tsx';
import { CallView } from '../result/call-view.tsx';
import { JsonTree } from '../result/json-tree.tsx';
import { ExchangeView } from '../connection/exchange-view.tsx';
import { responsesTo } from './timeline-rows.ts';
import type { Row } from './timeline-rows.ts';

/** Detail of a timeline row: raw message, headers, call. */
export function EventDetail({ row, onClose }: { row: Row; onClose: () => void }) {
  const appState = useAppState('calls', 'findings');
  const call = row.is === 'call' ? appState.calls.get(row.call) : undefined;
  const { event } = row;
  return (
    <aside class="event-detail" aria-label="Message">
      <div class="line">
        <span class="dim mono small">
          #{event.n} · {formatTime(event.at)}
        </span>
        <span class="grow" />
        {call === undefined || openedRecording.value !== undefined ? null : (
          <>
            <button type="button" class="quiet" onClick={() => void replayCall(call)}>
              Repeat
            </button>
            {sectionForMethod(call.start.method) === undefined ? null : (
              <button type="button" class="quiet" onClick={() => void editCall(call)}>
                Edit
              </button>
            )}
          </>
        )}
        <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </div>
      {call === undefined ? (
        <EventBody event={event} />
      ) : (
        <>
          <details open>
            <summary class="dim">params</summary>
            <JsonTree value={parseOrText(call.start.params)} depth={2} />
          </details>
          <CallView call={call} />
          {call.end?.listed === undefined ? null : <Responses call={call} />}
        </>
      )}
    </aside>
  );
}

const maxResponses = 20;

/** Responses to a list request: one per page. */
function Responses({ call }: { call: Call }) {
  const answers = responsesTo(call);
  return (
    <>
      {answers.slice(0, maxResponses).map((answer, index) => (
        <section key={answer.n} class="block" aria-label={`Answer ${index + 1}`}>
          {answers.length === 1 ? null : (
            <h2>
              Page {index + 1} of {answers.length}
            </h2>
          )}
          <MessageBody event={answer} />
        </section>
      ))}
      {answers.length > maxResponses ? <p class="dim small">Expand the row to see the other pages.</p> : null}
    </>
  );
}

function EventBody({ event }: { event: Row['event'] }) {
  switch (event.type) {
    case 'message':
      return <MessageBody event={event} />;
    case 'http-request':
      return <ExchangeView id={event.exchange} open />;
    case 'output':
      return <pre>{event.text}</pre>;
    case 'warning':
      return <p>{event.says}</p>;
    case 'span':
      return (
        <>
          <p>
            {event.name}: {event.outcome} after {formatDuration(event.ms)}, inside of the server
          </p>
          <JsonTree value={event.details ?? {}} />
        </>
      );
    case 'change':
      return <JsonTree value={{ what: event.what, ...(event.uri !== undefined && { uri: event.uri }) }} />;
    case 'task':
      return <JsonTree value={event.value as Json} />;
  }
}

/** The exchange that carried a message; for messages of the client, derived from the response. */
function exchangeOf(event: InspectorEvent<'message'>, appState: AppState): string | undefined {
  if (event.exchange !== undefined) return event.exchange;
  const answer = appState.timeline[appState.countUpTo(appState.answers.get(event.n) ?? 0) - 1];
  if (answer?.type === 'message' && answer.answers === event.n && answer.exchange !== undefined) return answer.exchange;
  if (event.call === undefined) return undefined;
  for (const [id, { request }] of appState.exchanges) if (request.call === event.call) return id;
  return undefined;
}

function MessageBody({ event }: { event: InspectorEvent<'message'> }) {
  const exchange = exchangeOf(event, useAppState('findings', 'calls'));
  const [view, setView] = useState<'tree' | 'raw' | 'http'>('tree');
  const [whole, setWhole] = useState<string | undefined>();
  useEffect(() => {
    if (event.cut && openedRecording.value === undefined) {
      void fetchJson<{ text: string }>(apiPaths.message(event.n))
        .then(({ text }) => setWhole(text))
        .catch(() => undefined);
    }
  }, [event.n]);
  const text = whole ?? event.text;
  const value = parseOrText(text);
  return (
    <>
      <Tabs
        label="Message as"
        names={[['tree', 'Tree'], ['raw', 'Raw'], ...(exchange === undefined ? [] : ([['http', 'HTTP']] as const))]}
        chosen={view}
        onChoose={setView}
      >
        <span class="grow" />
        <span class="dim small">{formatBytes(event.bytes)}</span>
      </Tabs>
      {view === 'tree' ? <JsonTree value={value} depth={3} /> : null}
      {view === 'raw' ? <pre class="raw">{text}</pre> : null}
      {view === 'http' && exchange !== undefined ? <ExchangeView id={exchange} open /> : null}
      {event.cut && whole === undefined ? <p class="dim small">Truncated.</p> : null}
    </>
  );
}

function parseOrText(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    return isRecord(value) || Array.isArray(value) ? value : text;
  } catch {
    return text;
  }
}
