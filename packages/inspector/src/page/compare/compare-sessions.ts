import { type Json, jsonEquals } from '../../shared/json.ts';
import { type ListKind, listKinds } from '../../shared/lists.ts';
import { parseJsonTexts } from '../diff/diff.ts';
import { pairCalls } from './pair-calls.ts';
import type { Session } from './session.ts';

/** Result of comparing one item: equal, changed, removed or added. */
export type Verdict = 'same' | 'changed' | 'removed' | 'added';

/** One item that both sessions, or one of them, have. */
export interface ComparedItem {
  readonly key: string;
  readonly name: string;
  /** Distinguishes it from other items of the same name. */
  readonly about?: string;
  readonly verdict: Verdict;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  /** Duration in each session; absent for items without a duration. */
  readonly times?: { readonly before: number | undefined; readonly after: number | undefined };
  readonly isMoved?: boolean;
}

/** Items of one kind. */
export interface ComparedSection {
  readonly id: string;
  readonly title: string;
  readonly items: readonly ComparedItem[];
  readonly times?: ComparedItem['times'];
}

/** Result of comparing two sessions. */
export interface SessionDiff {
  readonly parts: readonly ComparedSection[];
  /** True if there are too many differences to find the best pairing of calls. */
  readonly isRough: boolean;
}

/** Compares two sessions: negotiated facts, lists, calls, and notifications outside of calls. */
export function compareSessions(before: Session, after: Session): SessionDiff {
  const { part, isRough } = compareCalls(before, after);
  const parts = [
    compareFacts(before, after),
    ...listKinds.map((kind) => compareLists(kind, before, after)),
    part,
    compareNotifications(before, after),
  ];
  return { parts: parts.filter(({ items }) => items.length > 0), isRough };
}

function compareItem(item: Omit<ComparedItem, 'verdict'>): ComparedItem {
  const { before, after } = item;
  const verdict =
    before === undefined ? 'added' : after === undefined ? 'removed' : jsonEquals(before, after) ? 'same' : 'changed';
  return { ...item, verdict };
}

/** Compares items by name: those of the first session, then those that only the second has. */
function compareByName(
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
  prefix: string,
): readonly ComparedItem[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].map((name) =>
    compareItem({ key: `${prefix} ${name}`, name, before: before.get(name), after: after.get(name) }),
  );
}

function compareFacts(before: Session, after: Session): ComparedSection {
  return { id: 'connection', title: 'Connection', items: compareByName(factsOf(before), factsOf(after), 'fact') };
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

function compareLists(kind: ListKind, before: Session, after: Session): ComparedSection {
  const [left, right] = [before.lists[kind], after.lists[kind]];
  const isOdd = left.state !== right.state && [left.state, right.state].some((state) => state === 'refused');
  const state = isOdd
    ? [compareItem({ key: `${kind} state`, name: '(the list)', before: left.state, after: right.state })]
    : [];
  return {
    id: kind,
    title: titles[kind],
    items: [...state, ...compareByName(left.entries, right.entries, kind)],
    times: { before: left.ms, after: right.ms },
  };
}

/** Parses JSON in the texts of a result. Done only for calls that differ: a session may have thousands of calls. */
function parseResultTexts(value: Json | undefined): Json | undefined {
  const { result } = (value ?? {}) as { result?: Json };
  return result === undefined ? value : { ...(value as object), result: parseJsonTexts(result) };
}

function compareCall(item: Omit<ComparedItem, 'verdict'>): ComparedItem {
  const { before, after } = item;
  if (before !== undefined && after !== undefined && jsonEquals(before, after)) return { ...item, verdict: 'same' };
  return compareItem({ ...item, before: parseResultTexts(before), after: parseResultTexts(after) });
}

function compareCalls(before: Session, after: Session): { part: ComparedSection; isRough: boolean } {
  const { pairs, isRough } = pairCalls(before.calls, after.calls);
  const items = pairs.map(({ before: left, after: right, isMoved = false }): ComparedItem => {
    const { method = '', subject = '', value } = right ?? left ?? {};
    return compareCall({
      key: `call ${left?.n ?? ''} ${right?.n ?? ''}`,
      name: `${method} ${subject}`.trim(),
      about: describeArguments(value?.params),
      before: left?.value,
      after: right?.value,
      times: { before: left?.ms, after: right?.ms },
      isMoved,
    });
  });
  const times = { before: totalMs(before), after: totalMs(after) };
  return { part: { id: 'calls', title: 'Calls', items, times }, isRough };
}

function totalMs({ calls }: Session): number {
  return calls.reduce((sum, { ms = 0 }) => sum + ms, 0);
}

const maxDescription = 160;

function describeArguments(params: Json | undefined): string {
  const { arguments: given } = (params ?? {}) as { arguments?: Json };
  return given === undefined ? '' : JSON.stringify(given).slice(0, maxDescription);
}

function compareNotifications(before: Session, after: Session): ComparedSection {
  const items = compareByName(before.notifications, after.notifications, 'notification');
  return { id: 'notifications', title: 'Notifications outside of calls', items };
}
