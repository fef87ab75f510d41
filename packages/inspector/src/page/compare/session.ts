import type { ListKind } from '../../shared/lists.ts';
import { type Json, isRecord } from '../form/json.ts';
import { idProperty } from '../model/entries.ts';
import type { Call, AppState } from '../model/app-state.ts';
import { stringOrEmpty } from '../form/json.ts';
import { maskTimesAndIds, stripVolatile } from './volatile.ts';
import type { CallOutcome } from '../../shared/calls.ts';
import type { ServerFacts } from '../../shared/connections.ts';

/** List kinds in display order. */
export const listKinds: readonly ListKind[] = ['tools', 'resources', 'templates', 'prompts'];

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
  const params = parseOrText(start.params);
  const value = {
    params: isRecord(params) ? stripVolatile(params) : params,
    outcome: end?.outcome ?? 'open',
    ...(end?.result !== undefined && { result: stripVolatile(end.result as Json) }),
    ...(end?.cut && { bytes: end.bytes }),
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
    const message = parseOrText(event.text);
    const params = isRecord(message) ? ((message.params ?? {}) as Json) : message;
    return [{ method: event.method ?? '', params: stripVolatile(params) }];
  });
}

function countNotifications({ timeline }: AppState, connection: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const event of timeline) {
    if (event.type !== 'message' || event.connection !== connection || event.call !== undefined) continue;
    if (event.from !== 'server' || event.kind !== 'notification') continue;
    const name = [event.method, event.subject].filter(Boolean).join(' ');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function parseOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
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
  /** State of a list without entries: refused, or not declared. */
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
