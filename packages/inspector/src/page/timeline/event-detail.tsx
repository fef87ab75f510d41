import { useEffect, useState } from 'preact/hooks';
import { apiPaths } from '../../shared/api-paths.ts';
import type { InspectorEvent } from '../../shared/events.ts';
import { type Json, parseJsonOrText } from '../../shared/json.ts';
import { Button, Tabs } from '../components/controls.tsx';
import { formatBytes, formatDuration, formatTime } from '../components/format.ts';
import { ExchangeView } from '../connection/exchange-view.tsx';
import { JsonTree } from '../content/json-tree.tsx';
import { fetchJson } from '../model/api.ts';
import type { AppState, Call } from '../model/app-state.ts';
import { editCall, replayCall, sectionForMethod } from '../model/replay.ts';
import { openedRecording } from '../model/route.ts';
import { useAppState } from '../model/store.ts';
import { CallView } from '../result/call-view.tsx';
import { responsesTo, type Row } from './timeline-rows.ts';

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
            <Button class="quiet" onClick={() => void replayCall(call)}>
              Repeat
            </Button>
            {sectionForMethod(call.start.method) === undefined ? null : (
              <Button class="quiet" onClick={() => void editCall(call)}>
                Edit
              </Button>
            )}
          </>
        )}
        <Button class="quiet" aria-label="Close" onClick={onClose}>
          ×
        </Button>
      </div>
      {call === undefined ? (
        <EventBody event={event} />
      ) : (
        <>
          <details open>
            <summary class="dim">params</summary>
            <JsonTree value={parseJsonOrText(call.start.params)} depth={2} />
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
      return <p>{event.message}</p>;
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
  const { timeline, diagnostics } = appState;
  const answer = timeline.events[timeline.countUpTo(timeline.responses.get(event.n) ?? 0) - 1];
  if (answer?.type === 'message' && answer.answers === event.n && answer.exchange !== undefined) return answer.exchange;
  if (event.call === undefined) return undefined;
  for (const [id, { request }] of diagnostics.exchanges) if (request.call === event.call) return id;
  return undefined;
}

function MessageBody({ event }: { event: InspectorEvent<'message'> }) {
  const exchange = exchangeOf(event, useAppState('findings', 'calls'));
  const [view, setView] = useState<'tree' | 'raw' | 'http'>('tree');
  const [whole, setWhole] = useState<string | undefined>();
  useEffect(() => {
    if (event.truncated && openedRecording.value === undefined) {
      void fetchJson<{ text: string }>(apiPaths.message(event.n))
        .then(({ text }) => setWhole(text))
        .catch(() => undefined);
    }
  }, [event.n]);
  const text = whole ?? event.text;
  const value = parseJsonOrText(text);
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
      {event.truncated && whole === undefined ? <p class="dim small">Truncated.</p> : null}
    </>
  );
}
