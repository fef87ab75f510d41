import type { CallOutcome } from '../../shared/calls.ts';
import type { ServerFacts } from '../../shared/connections.ts';
import { isRecord, type Json, parseJsonOrText, stringOrEmpty } from '../../shared/json.ts';
import { type ListKind, listKinds } from '../../shared/lists.ts';
import type { AppState, Call } from '../model/app-state.ts';
import { idProperty } from '../model/entries.ts';

/** Options that control what a comparison ignores. */
export interface SessionOptions {
  /** Treats all times and ids in results as equal. */
  readonly isLoose: boolean;
}

/** Builds the session of one connection from a state that has full texts and lists. */
export function buildSession(appState: AppState, connection: string, options: SessionOptions): Session {
  const { label = '', server } = appState.connections.get(connection) ?? {};
  const calls: SessionCall[] = [];
  for (const call of appState.calls.values()) {
    // Requests of the inspector itself are compared as lists.
    if (call.start.connection === connection && call.start.by !== 'inspector')
      calls.push(buildCall(appState, call, options));
  }
  return {
    label,
    facts: server,
    lists: Object.fromEntries(
      listKinds.map((kind) => [kind, buildList(appState, connection, kind)]),
    ) as Session['lists'],
    calls,
    notifications: countNotifications(appState, connection),
  };
}

function buildList({ lists, recordedEntries }: AppState, connection: string, kind: ListKind): SessionList {
  const key = `${connection}/${kind}`;
  const { ms, state = 'absent' } = lists.get(key) ?? {};
  const entries = recordedEntries.get(key)?.entries ?? [];
  return {
    ms,
    state,
    entries: new Map(entries.map((raw) => [stringOrEmpty(raw[idProperty[kind]]), stripVolatile(raw as Json)])),
  };
}

function buildCall(appState: AppState, call: Call, { isLoose }: SessionOptions): SessionCall {
  const { start, end } = call;
  const { n, method, subject = '' } = start;
  const params = parseJsonOrText(start.params);
  const value = {
    params: isRecord(params) ? stripVolatile(params) : params,
    outcome: end?.outcome ?? 'open',
    ...(end?.result !== undefined && { result: stripVolatile(end.result as Json) }),
    ...(end?.truncated && { bytes: end.bytes }),
    ...(end?.error !== undefined && { error: end.error as unknown as Json }),
    ...(call.questions.length > 0 && { questions: questionsOf(appState, call) }),
    ...optionalList('notifications', callNotifications(call)),
  } as Readonly<Record<string, Json>>;
  const shown = (isLoose ? maskTimesAndIds(value) : value) as Readonly<Record<string, Json>>;
  const alike = `${method} ${subject}`;
  const same = `${alike} ${JSON.stringify(sortKeys(shown.params ?? null))}`;
  return {
    n,
    method,
    subject,
    ms: end?.ms,
    outcome: end?.outcome ?? 'open',
    value: shown,
    exactKey: same,
    subjectKey: alike,
  };
}

function optionalList(name: string, values: readonly Json[]): Readonly<Record<string, Json>> {
  return values.length === 0 ? {} : { [name]: values };
}

function questionsOf({ questions }: AppState, call: Call): readonly Json[] {
  return call.questions.flatMap((id): Json[] => {
    const asked = questions.get(id);
    if (asked === undefined) return [];
    const { method, params } = asked.question;
    const answer = asked.end === undefined ? 'open' : (asked.end.action ?? asked.end.outcome);
    return [{ method, params: stripVolatile(params as Json), answer }];
  });
}

function callNotifications({ events }: Call): readonly Json[] {
  return events.flatMap((event): Json[] => {
    if (event.type !== 'message' || event.kind !== 'notification' || event.from !== 'server') return [];
    const message = parseJsonOrText(event.text);
    const params = isRecord(message) ? ((message.params ?? {}) as Json) : message;
    return [{ method: event.method ?? '', params: stripVolatile(params) }];
  });
}

function countNotifications({ timeline }: AppState, connection: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const event of timeline.events) {
    if (event.type !== 'message' || event.connection !== connection || event.call !== undefined) continue;
    if (event.from !== 'server' || event.kind !== 'notification') continue;
    const name = [event.method, event.subject].filter(Boolean).join(' ');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Sorts object keys so that the JSON of two values can be compared. */
function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sortKeys);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value as Readonly<Record<string, Json>>).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return Object.fromEntries(entries.map(([name, inner]) => [name, sortKeys(inner)]));
}

/** Everything between one client and one server that can be compared. */
export interface Session {
  readonly label: string;
  readonly facts: ServerFacts | undefined;
  readonly lists: Readonly<Record<ListKind, SessionList>>;
  /** In the order in which they were made. */
  readonly calls: readonly SessionCall[];
  /** Notifications outside of calls: count by method. */
  readonly notifications: ReadonlyMap<string, number>;
}

/** The latest known version of a list. */
interface SessionList {
  readonly entries: ReadonlyMap<string, Json>;
  readonly ms?: number | undefined;
  /** State of a list without entries: rejected, or not declared. */
  readonly state: string;
}

/** The comparable parts of a call. */
export interface SessionCall {
  readonly n: number;
  readonly method: string;
  readonly subject: string;
  readonly ms: number | undefined;
  readonly outcome: CallOutcome | 'open';
  /** Params, result, error, questions and notifications, without volatile values. */
  readonly value: Readonly<Record<string, Json>>;
  /** Method, subject and arguments: equal for equal calls. */
  readonly exactKey: string;
  /** Method and subject, regardless of arguments. */
  readonly subjectKey: string;
}

type JsonRecord = Readonly<Record<string, Json>>;

/** Keys in `_meta` whose values differ each time (tokens, ids, traces), or are compared elsewhere (server info). */
const volatileMeta = new Set([
  'progressToken',
  'subscriptionId',
  'related-task',
  'traceparent',
  'tracestate',
  'baggage',
  'sessionId',
  'requestId',
  'serverInfo',
]);
/** Key names that hold times. */
const timeName = /(?:At|Time|Timestamp|Date)$|^(?:time|timestamp|date)$/i;
const dateTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/i;
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Keys outside `_meta` that the protocol uses for volatile values. */
const volatileNames = new Set(['progressToken', 'requestId', 'requestState', 'taskId', 'createdAt', 'lastUpdatedAt']);

/** Strips volatile values from params or a result: tokens, protocol ids, times in `_meta`. Output of tools stays. */
export function stripVolatile(value: Json): Json {
  if (!isRecord(value)) return stripVolatileMeta(value);
  const { task, ...rest } = value as JsonRecord;
  const plain = Object.fromEntries(
    Object.entries(rest).filter(([name, inner]) => !volatileNames.has(name) && !isDefault(name, inner)),
  );
  const stableTask = task === undefined ? {} : { task: stripVolatile(task) };
  return stripVolatileMeta({ ...plain, ...stableTask });
}

/** Revisions without `resultType` imply `complete`. */
function isDefault(name: string, value: Json): boolean {
  return name === 'resultType' && value === 'complete';
}

/** Strips volatile keys from every `_meta`, and drops a `_meta` that becomes empty. */
function stripVolatileMeta(value: Json): Json {
  if (!hasMeta(value)) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(stripVolatileMeta);
  const stable: [string, Json][] = [];
  for (const [name, inner] of Object.entries(value as JsonRecord)) {
    if (name !== '_meta' || !isRecord(inner)) stable.push([name, stripVolatileMeta(inner)]);
    else {
      const meta = Object.entries(inner as JsonRecord).filter(([key, each]) => !isVolatileMeta(key, each));
      if (meta.length > 0) stable.push([name, Object.fromEntries(meta)]);
    }
  }
  return Object.fromEntries(stable);
}

function hasMeta(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasMeta);
  return '_meta' in value || Object.values(value as JsonRecord).some(hasMeta);
}

function isVolatileMeta(name: string, value: Json): boolean {
  const short = name.slice(name.lastIndexOf('/') + 1);
  if (volatileMeta.has(short) || timeName.test(short)) return true;
  return typeof value === 'string' && (dateTime.test(value) || uuid.test(value));
}

/** Replaces every time and every id by a placeholder. */
export function maskTimesAndIds(value: Json): Json {
  if (typeof value === 'string') return dateTime.test(value) ? '(a time)' : uuid.test(value) ? '(an id)' : value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(maskTimesAndIds);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value as JsonRecord).map(([name, inner]) => [name, maskTimesAndIds(inner)]));
}
