import type { ListKind } from '../../shared/lists.ts';
import { withReadTexts } from '../diff/diff.ts';
import { type Json, sameJson } from '../form/json.ts';
import { pairCalls } from './pair-calls.ts';
import type { Session } from './session.ts';
import { listKinds } from './session.ts';

/** What two sessions say of one thing: the same, something else, or only one of them says something. */
export type Verdict = 'same' | 'changed' | 'went' | 'came';

/** One thing of two sessions. */
export interface ComparedItem {
  readonly key: string;
  readonly name: string;
  /** What tells it from others of its name. */
  readonly about?: string;
  readonly verdict: Verdict;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  /** How long it took in each; absent for what takes no time. */
  readonly times?: { readonly before: number | undefined; readonly after: number | undefined };
  readonly isMoved?: boolean;
}

/** Things of one kind. */
export interface ComparedPart {
  readonly id: string;
  readonly title: string;
  readonly items: readonly ComparedItem[];
  readonly times?: ComparedItem['times'];
}

/** How two sessions differ. */
export interface SessionDifference {
  readonly parts: readonly ComparedPart[];
  /** True where there are too many differences to pair calls in the best way. */
  readonly isRough: boolean;
}

/** Compares two sessions: what was agreed on, lists, calls, and what the servers sent outside of those. */
export function compareSessions(before: Session, after: Session): SessionDifference {
  const { part, isRough } = callsPart(before, after);
  const parts = [
    factsPart(before, after),
    ...listKinds.map((kind) => listPart(kind, before, after)),
    part,
    notificationsPart(before, after),
  ];
  return { parts: parts.filter(({ items }) => items.length > 0), isRough };
}

function compared(item: Omit<ComparedItem, 'verdict'>): ComparedItem {
  const { before, after } = item;
  const verdict =
    before === undefined ? 'came' : after === undefined ? 'went' : sameJson(before, after) ? 'same' : 'changed';
  return { ...item, verdict };
}

/** Everything by its name, that of the one and then what only the other has. */
function byName(
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
  prefix: string,
): readonly ComparedItem[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].map((name) =>
    compared({ key: `${prefix} ${name}`, name, before: before.get(name), after: after.get(name) }),
  );
}

function factsPart(before: Session, after: Session): ComparedPart {
  return { id: 'connection', title: 'Connection', items: byName(factsOf(before), factsOf(after), 'fact') };
}

function factsOf({ facts }: Session): ReadonlyMap<string, Json> {
  if (facts === undefined) return new Map();
  const { info, protocolVersion, era, transport, hasSession, instructions, capabilities } = facts;
  const said: readonly (readonly [string, Json | undefined])[] = [
    ['Revision', protocolVersion],
    ['Handshake', era === 'handshake' ? 'yes' : 'no'],
    ['Transport', transport],
    ['Session', hasSession ? 'yes' : 'no'],
    ['Name', info?.name],
    ['Version', info?.version],
    ['Title', info?.title],
    ['Instructions', instructions],
    ...Object.entries(capabilities).map(([name, value]) => [`Capability ${name}`, value as Json] as const),
  ];
  return new Map(said.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

const titles: Readonly<Record<ListKind, string>> = {
  tools: 'Tools',
  resources: 'Resources',
  templates: 'Templates',
  prompts: 'Prompts',
};

function listPart(kind: ListKind, before: Session, after: Session): ComparedPart {
  const [left, right] = [before.lists[kind], after.lists[kind]];
  const isOdd = left.state !== right.state && [left.state, right.state].some((state) => state === 'refused');
  const state = isOdd
    ? [compared({ key: `${kind} state`, name: '(the list)', before: left.state, after: right.state })]
    : [];
  return {
    id: kind,
    title: titles[kind],
    items: [...state, ...byName(left.entries, right.entries, kind)],
    times: { before: left.ms, after: right.ms },
  };
}

/** A call whose result is what its texts say. That is read only where it matters: a session may have thousands of calls. */
function withReadResult(value: Json | undefined): Json | undefined {
  const { result } = (value ?? {}) as { result?: Json };
  return result === undefined ? value : { ...(value as object), result: withReadTexts(result) };
}

function comparedCall(item: Omit<ComparedItem, 'verdict'>): ComparedItem {
  const { before, after } = item;
  if (before !== undefined && after !== undefined && sameJson(before, after)) return { ...item, verdict: 'same' };
  return compared({ ...item, before: withReadResult(before), after: withReadResult(after) });
}

function callsPart(before: Session, after: Session): { part: ComparedPart; isRough: boolean } {
  const { pairs, isRough } = pairCalls(before.calls, after.calls);
  const items = pairs.map(({ before: left, after: right, isMoved = false }): ComparedItem => {
    const { method = '', subject = '', value } = right ?? left ?? {};
    return comparedCall({
      key: `call ${left?.n ?? ''} ${right?.n ?? ''}`,
      name: `${method} ${subject}`.trim(),
      about: aboutCall(value?.params),
      before: left?.value,
      after: right?.value,
      times: { before: left?.ms, after: right?.ms },
      isMoved,
    });
  });
  const times = { before: sumOf(before), after: sumOf(after) };
  return { part: { id: 'calls', title: 'Calls', items, times }, isRough };
}

function sumOf({ calls }: Session): number {
  return calls.reduce((sum, { ms = 0 }) => sum + ms, 0);
}

const longestAbout = 160;

function aboutCall(params: Json | undefined): string {
  const { arguments: given } = (params ?? {}) as { arguments?: Json };
  return given === undefined ? '' : JSON.stringify(given).slice(0, longestAbout);
}

function notificationsPart(before: Session, after: Session): ComparedPart {
  const items = byName(before.notifications, after.notifications, 'notification');
  return { id: 'notifications', title: 'Told outside of calls', items };
}
