import type { CallEnd } from '../../shared/calls.ts';
import { isRecord, stringOrEmpty, tryParseJson } from '../../shared/json.ts';
import type { LoggedMessage } from '../../shared/messages.ts';
import { formatBytes, formatDuration, formatEntryCount, formatTime } from '../components/format.ts';
import type { AppState, Call } from '../model/app-state.ts';
import type { TimelineEvent } from '../model/timeline.ts';
import { displayName } from '../model/display-name.ts';
import { serverTime } from '../model/store.ts';
import { responseBytes, type Row, type TimeAxis, type TimeRange } from './timeline-rows.ts';

const maxSummary = 200;

/** Summarizes a log or progress notification. */
function summarizeNotification({ kind, method, text, truncated }: LoggedMessage): string {
  if (
    kind !== 'notification' ||
    truncated ||
    (method !== 'notifications/message' && method !== 'notifications/progress')
  )
    return '';
  const params = paramsOf(text);
  if (method === 'notifications/progress') {
    const { progress, total, message } = params;
    return [[progress, total].filter((each) => typeof each === 'number').join(' / '), stringOrEmpty(message)]
      .filter(Boolean)
      .join(' ');
  }
  const { level, data } = params;
  return `${stringOrEmpty(level)}: ${typeof data === 'string' ? data : JSON.stringify(data)}`.slice(0, maxSummary);
}

function paramsOf(text: string): Readonly<Record<string, unknown>> {
  const message = tryParseJson(text);
  return isRecord(message) && isRecord(message.params) ? message.params : {};
}

interface RowContent {
  readonly arrow: string;
  readonly what: string;
  readonly about: string;
  readonly tone: string;
  readonly ms: number | undefined;
  readonly bytes: number | undefined;
}

/** A row of the timeline: time, server, event, duration. */
export function TimelineRow({
  row,
  appState,
  axis,
  isChosen,
  isOpen,
  isFirst,
  onChoose,
  onToggle,
}: {
  row: Row;
  appState: AppState;
  axis: TimeAxis;
  isChosen: boolean;
  isOpen: boolean;
  isFirst: boolean;
  onChoose: () => void;
  onToggle: (call: string) => void;
}) {
  const { arrow, what, about, tone, ms, bytes } = describeRow(row, appState);
  const { from, to } = timeRangeOf(row, appState);
  const start = axis(from);
  const connection = 'connection' in row.event ? appState.connections.get(row.event.connection ?? '') : undefined;
  const who = connection === undefined ? ownerLabel(row.event) : displayName(connection, appState.connections.values());
  return (
    <div
      role="treeitem"
      aria-level={row.is === 'event' ? row.depth + 1 : 1}
      aria-expanded={row.is === 'call' ? isOpen : undefined}
      class={`timeline-row ${row.is === 'event' && row.depth > 0 ? 'is-inside' : ''}`}
      aria-selected={isChosen}
      tabIndex={isChosen || isFirst ? 0 : -1}
      onClick={onChoose}
      onKeyDown={(event) => event.key === 'Enter' && onChoose()}
    >
      <span class="dim">{formatTime(row.is === 'call' ? from : row.event.at)}</span>
      <span class="dim truncate">{who}</span>
      <span class="truncate what">
        <span
          class="turn"
          aria-hidden="true"
          onClick={(event) => {
            if (row.is !== 'call') return;
            event.stopPropagation();
            onToggle(row.call);
          }}
        >
          {row.is === 'call' ? (isOpen ? '▾' : '▸') : ''}
        </span>
        <span class={`mark ${tone}`}>{arrow}</span>
        <span class={tone === 'bad' ? 'bad' : ''}>{what}</span> <span class="dim">{about}</span>
      </span>
      <span class="dim end">{bytes === undefined ? '' : formatBytes(bytes)}</span>
      <span class="bar-track">
        <span
          class={`bar ${tone}`}
          style={{ left: barPosition(start), width: `max(2px, calc((100% - ${labelWidth}px) * ${axis(to) - start}))` }}
        />
        <span class="bar-label dim" style={{ left: `calc(${barPosition(axis(to))} + 6px)` }}>
          {ms === undefined ? '' : formatDuration(ms)}
        </span>
      </span>
    </div>
  );
}

/** Owner of an event without a connection. */
function ownerLabel(event: TimelineEvent): string {
  if (event.type !== 'http-request') return '';
  return event.doctor === undefined ? (event.flow === undefined ? '' : 'sign-in') : 'doctor';
}

// Room for the duration label beside the last bar.
const labelWidth = 72;

function barPosition(part: number): string {
  return `calc((100% - ${labelWidth}px) * ${part})`;
}

/** Start and end of what a row shows. */
export function timeRangeOf(row: Row, appState: AppState): TimeRange {
  const { event } = row;
  if (row.is === 'call') {
    const call = appState.calls.get(row.call);
    if (call !== undefined) return { from: call.start.at, to: call.end?.at ?? serverTime() };
  }
  if (event.type === 'message' && event.ms !== undefined) return { from: event.at - event.ms, to: event.at };
  if (event.type === 'span') return { from: event.start, to: event.start + event.ms };
  if (event.type === 'http-request') {
    const end = appState.diagnostics.exchanges.get(event.exchange)?.end;
    return { from: event.at, to: end === undefined ? event.at : event.at + end.ms };
  }
  return { from: event.at, to: event.at };
}

function describeRow(row: Row, appState: AppState): RowContent {
  if (row.is === 'call') {
    const call = appState.calls.get(row.call);
    if (call !== undefined) {
      const { start, end } = call;
      const [arrow, tone] =
        end === undefined
          ? ['◐', 'accent']
          : end.outcome === 'ok'
            ? ['✓', 'ok']
            : end.outcome === 'tool-error'
              ? ['▲', 'note']
              : end.outcome === 'cancelled'
                ? ['○', 'dim']
                : ['✕', 'bad'];
      const pendingQuestion = call.questions.some((id) => appState.questions.get(id)?.end === undefined)
        ? ' · asks you'
        : '';
      const by = start.by === 'view' ? ' · by the view' : '';
      const subject = start.subject ?? (end?.listed === undefined ? '' : formatEntryCount(end.listed));
      return {
        arrow,
        what: start.method,
        about: `${subject}${by}${pendingQuestion}`,
        tone,
        ms: end?.ms,
        bytes: end && sizeOf(call, end),
      };
    }
  }
  return describeEvent(row.event, appState);
}

/** Size of a result; of a failed or paged call, size of the responses. */
function sizeOf(call: Call, { error, listed, bytes }: CallEnd): number | undefined {
  return error === undefined && listed === undefined ? bytes : responseBytes(call);
}

function describeEvent(event: TimelineEvent, appState: AppState): RowContent {
  const noSize = { ms: undefined, bytes: undefined };
  switch (event.type) {
    case 'message': {
      const tone =
        event.kind === 'error' || event.kind === 'broken' ? 'bad' : event.kind === 'notification' ? 'dim' : '';
      const isOwnMethod = event.kind === 'request' || event.kind === 'notification';
      const said = summarizeNotification(event) || (isOwnMethod ? '' : event.kind);
      const about = [said, event.subject ?? ''].filter(Boolean).join(' · ');
      return {
        arrow: event.from === 'client' ? '→' : '←',
        what: event.method ?? event.kind,
        about,
        tone,
        ms: event.ms,
        bytes: event.bytes,
      };
    }
    case 'http-request': {
      const exchange = appState.diagnostics.exchanges.get(event.exchange);
      const status = exchange?.response?.status;
      const isBad = exchange?.end?.error !== undefined || (status !== undefined && status >= 400);
      return {
        arrow: '⇄',
        what: `${event.method} ${status ?? '…'}`,
        about: event.url,
        tone: isBad ? 'bad' : 'dim',
        ms: exchange?.end?.ms,
        bytes: exchange?.end?.bytes,
      };
    }
    case 'output':
      return { arrow: '»', what: 'stderr', about: event.text.trim().split('\n', 1)[0] ?? '', tone: 'dim', ...noSize };
    case 'warning':
      return { arrow: '▲', what: 'warning', about: event.message, tone: 'note', ...noSize };
    case 'span':
      return {
        arrow: '─',
        what: event.name,
        about: `in the server · ${event.outcome}`,
        tone: 'span',
        ms: event.ms,
        bytes: undefined,
      };
    case 'change':
      return { arrow: '≠', what: 'changed', about: event.uri ?? event.what, tone: 'note', ...noSize };
    case 'task':
      return { arrow: '◔', what: `task ${event.status}`, about: event.message ?? event.task, tone: '', ...noSize };
  }
}
