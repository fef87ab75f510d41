import type { ListKind } from '../../shared/lists.ts';
import { type Json, isRecord } from '../form/json.ts';
import { idOf } from '../model/entries.ts';
import type { Call, World } from '../model/app-state.ts';
import { textOf } from '../form/json.ts';
import { withoutTimesAndIds, withoutVolatile } from './volatile.ts';
import type { CallOutcome } from '../../shared/calls.ts';
import type { ServerFacts } from '../../shared/connections.ts';

/** The lists of a server, in the order in which they are shown. */
export const listKinds: readonly ListKind[] = ['tools', 'resources', 'templates', 'prompts'];

/** What is left out of a session beside what is always left out. */
export interface SessionWish {
  /** Times and ids in results count as the same. */
  readonly isLoose: boolean;
}

/** The session of one connection, from a world that has its texts and lists whole. */
export function sessionOf(world: World, connection: string, wish: SessionWish): Session {
  const { label = '', server } = world.connections.get(connection) ?? {};
  const calls: SessionCall[] = [];
  for (const call of world.calls.values()) {
    // What the inspector asks for by itself is compared as lists.
    if (call.start.connection === connection && call.start.by !== 'inspector') calls.push(callOf(world, call, wish));
  }
  return {
    label,
    facts: server,
    lists: Object.fromEntries(listKinds.map((kind) => [kind, listOf(world, connection, kind)])) as Session['lists'],
    calls,
    notifications: notificationsOf(world, connection),
  };
}

function listOf({ lists, listed }: World, connection: string, kind: ListKind): SessionList {
  const key = `${connection}/${kind}`;
  const { ms, state = 'absent' } = lists.get(key) ?? {};
  const entries = listed.get(key)?.entries ?? [];
  return { ms, state, entries: new Map(entries.map((raw) => [textOf(raw[idOf[kind]]), withoutVolatile(raw as Json)])) };
}

function callOf(world: World, call: Call, { isLoose }: SessionWish): SessionCall {
  const { start, end } = call;
  const { n, method, subject = '' } = start;
  const params = readable(start.params);
  const value = {
    params: isRecord(params) ? withoutVolatile(params) : params,
    outcome: end?.outcome ?? 'open',
    ...(end?.result !== undefined && { result: withoutVolatile(end.result as Json) }),
    ...(end?.cut && { bytes: end.bytes }),
    ...(end?.error !== undefined && { error: end.error as unknown as Json }),
    ...(call.questions.length > 0 && { questions: questionsOf(world, call) }),
    ...listed('notifications', notificationsIn(call)),
  } as Readonly<Record<string, Json>>;
  const shown = (isLoose ? withoutTimesAndIds(value) : value) as Readonly<Record<string, Json>>;
  const alike = `${method} ${subject}`;
  const same = `${alike} ${JSON.stringify(sorted(shown.params ?? null))}`;
  return { n, method, subject, ms: end?.ms, outcome: end?.outcome ?? 'open', value: shown, same, alike };
}

function listed(name: string, values: readonly Json[]): Readonly<Record<string, Json>> {
  return values.length === 0 ? {} : { [name]: values };
}

function questionsOf({ questions }: World, call: Call): readonly Json[] {
  return call.questions.flatMap((id): Json[] => {
    const asked = questions.get(id);
    if (asked === undefined) return [];
    const { method, params } = asked.question;
    const answer = asked.end === undefined ? 'open' : (asked.end.action ?? asked.end.outcome);
    return [{ method, params: withoutVolatile(params as Json), answer }];
  });
}

function notificationsIn({ inside }: Call): readonly Json[] {
  return inside.flatMap((event): Json[] => {
    if (event.type !== 'message' || event.kind !== 'notification' || event.from !== 'server') return [];
    const message = readable(event.text);
    const params = isRecord(message) ? ((message.params ?? {}) as Json) : message;
    return [{ method: event.method ?? '', params: withoutVolatile(params) }];
  });
}

function notificationsOf({ timeline }: World, connection: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const event of timeline) {
    if (event.type !== 'message' || event.connection !== connection || event.call !== undefined) continue;
    if (event.from !== 'server' || event.kind !== 'notification') continue;
    const name = [event.method, event.subject].filter(Boolean).join(' ');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function readable(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** The same value with its names in order, so that its JSON can be compared. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value as Readonly<Record<string, Json>>).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}

/** Everything between one client and one server, as far as it can be compared. */
export interface Session {
  readonly label: string;
  readonly facts: ServerFacts | undefined;
  readonly lists: Readonly<Record<ListKind, SessionList>>;
  /** In the order in which they were made. */
  readonly calls: readonly SessionCall[];
  /** What the server sent outside of calls: how often, by method. */
  readonly notifications: ReadonlyMap<string, number>;
}

/** A list, as it was last known. */
interface SessionList {
  readonly entries: ReadonlyMap<string, Json>;
  readonly ms?: number | undefined;
  /** How that was, where there are no entries: refused, or not declared. */
  readonly state: string;
}

/** A call with what can be compared of it. */
export interface SessionCall {
  readonly n: number;
  readonly method: string;
  readonly subject: string;
  readonly ms: number | undefined;
  readonly outcome: CallOutcome | 'open';
  /** Params, result, error, questions and notifications, without what is another each time. */
  readonly value: Readonly<Record<string, Json>>;
  /** Says what was called, with its arguments: the same for the same call. */
  readonly same: string;
  /** Says what was called, whatever the arguments. */
  readonly alike: string;
}
