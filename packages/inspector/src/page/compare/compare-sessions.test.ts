import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InspectorEvent } from '../../shared/events.ts';
import { longestCommonSubsequence } from '../diff/diff.ts';
import { AppState } from '../model/app-state.ts';
import { compareSessions } from './compare-sessions.ts';
import { buildRows } from './difference-list.tsx';
import { pairCalls } from './pair-calls.ts';
import { buildSession, maskTimesAndIds, type SessionCall, stripVolatile } from './session.ts';

const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });

/** Length of the longest common subsequence. */
function mostInCommon(left: readonly string[], right: readonly string[]): number {
  let row = Array.from({ length: right.length + 1 }, () => 0);
  for (const one of left) {
    const next = [0];
    for (const [at, other] of right.entries())
      next.push(one === other ? (row[at] ?? 0) + 1 : Math.max(next[at] ?? 0, row[at + 1] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

describe('longest common subsequence', () => {
  it('is common to both lists, in order, and as long as possible', () => {
    fc.assert(
      fc.property(letters, letters, (left, right) => {
        const places = longestCommonSubsequence(left, right, 100) ?? [];
        expect(places.map(([at]) => left[at])).toEqual(places.map(([, at]) => right[at]));
        for (const [at, [x, y]] of places.entries()) {
          expect(x).toBeGreaterThan(places[at - 1]?.[0] ?? -1);
          expect(y).toBeGreaterThan(places[at - 1]?.[1] ?? -1);
        }
        expect(places).toHaveLength(mostInCommon(left, right));
      }),
    );
  });

  it('is not computed if the lists differ too much', () => {
    expect(longestCommonSubsequence(['a', 'b', 'c'], ['d', 'e', 'f'], 5)).toBeUndefined();
    expect(longestCommonSubsequence(['a', 'b', 'c'], ['d', 'e', 'f'], 6)).toEqual([]);
  });
});

/** Calls, each written as tool name and argument: `add1`. */
function calls(...names: string[]): SessionCall[] {
  return names.map((name, n) => ({
    n,
    method: 'tools/call',
    subject: name.slice(0, -1),
    ms: 1,
    outcome: 'ok',
    value: {},
    exactKey: name,
    subjectKey: name.slice(0, -1),
  }));
}

function pairNames(before: SessionCall[], after: SessionCall[], most?: number): string[] {
  return pairCalls(before, after, most).pairs.map(
    ({ before: left, after: right, isMoved }) =>
      `${left?.exactKey ?? ''}-${right?.exactKey ?? ''}${isMoved ? '!' : ''}`,
  );
}

describe('pairing calls of two sessions', () => {
  it('pairs equal calls in order', () => {
    expect(pairNames(calls('a1', 'b1', 'c1'), calls('a1', 'x1', 'c1'))).toEqual(['a1-a1', 'b1-', '-x1', 'c1-c1']);
  });

  it('pairs calls that differ only in their arguments, between equal ones', () => {
    expect(pairNames(calls('a1', 'b1', 'b2', 'c1'), calls('a1', 'b3', 'c1'))).toEqual([
      'a1-a1',
      'b1-b3',
      'b2-',
      'c1-c1',
    ]);
  });

  it('pairs calls made in a different order, and marks them as moved', () => {
    expect(pairNames(calls('a1', 'b1', 'c1'), calls('c1', 'a1', 'b1'))).toEqual(['c1-c1!', 'a1-a1', 'b1-b1']);
  });

  it('pairs in order if there are too many differences', () => {
    const before = calls('a1', 'b1', 'a2', 'c1');
    const after = calls('a3', 'a1', 'd1', 'c2');
    expect(pairCalls(before, after, 2).isRough).toBe(true);
    expect(pairNames(before, after, 2)).toEqual(['b1-', 'a2-a3!', 'a1-a1!', '-d1', 'c1-c2!']);
  });

  it('contains every call exactly once', () => {
    const some = fc.array(fc.constantFrom('a1', 'a2', 'b1', 'b2', 'c1'), { maxLength: 20 });
    fc.assert(
      fc.property(some, some, fc.constantFrom(3, 100), (left, right, most) => {
        const { pairs } = pairCalls(calls(...left), calls(...right), most);
        const numbers = (side: 'before' | 'after') => pairs.flatMap((pair) => pair[side]?.n ?? []);
        expect(numbers('after')).toEqual(right.map((_, at) => at));
        expect(numbers('before').toSorted((one, other) => one - other)).toEqual(left.map((_, at) => at));
        for (const { before, after } of pairs)
          if (before !== undefined && after !== undefined) expect(before.subjectKey).toBe(after.subjectKey);
      }),
    );
  });
});

describe('volatile values', () => {
  it('are ignored in _meta, tokens and protocol ids, but not in tool output', () => {
    const received = {
      requestState: 'x',
      resultType: 'complete',
      _meta: {
        progressToken: 7,
        'io.example/at': '2026-01-01T00:00:00Z',
        'io.example/kind': 'a',
        'io.example/serverInfo': {},
      },
      structuredContent: { id: 'n1', createdAt: '2026-01-01T00:00:00Z' },
      content: [{ type: 'text', text: 'x', _meta: { traceparent: '00-1' } }],
      task: { taskId: 't', status: 'working', createdAt: 'now' },
    };
    expect(stripVolatile(received)).toEqual({
      _meta: { 'io.example/kind': 'a' },
      structuredContent: { id: 'n1', createdAt: '2026-01-01T00:00:00Z' },
      content: [{ type: 'text', text: 'x' }],
      task: { status: 'working' },
    });
  });

  it('are ignored in results on request', () => {
    const value = [
      { at: '2026-01-01T00:00:00.000Z', id: '123e4567-e89b-42d3-a456-426614174000', text: 'on 2026-01-01' },
    ];
    expect(maskTimesAndIds(value)).toEqual([{ at: '(a time)', id: '(an id)', text: 'on 2026-01-01' }]);
  });
});

let n = 0;

function worldWith(...events: object[]): AppState {
  const appState = new AppState();
  const server = { protocolVersion: '2', era: 'stateless', transport: 'http', capabilities: {}, hasSession: false };
  const status = { is: 'connected', since: 1 };
  const connection = { id: 's1', label: 'notes', kind: 'url', detail: '', settings: {}, status, server };
  for (const event of [{ type: 'connection', connection }, ...events]) {
    n += 1;
    appState.apply({ n, at: n, ...event } as InspectorEvent);
  }
  return appState;
}

function call(id: string, given: object, result: object, more: object[] = []): object[] {
  const params = JSON.stringify({ name: 'add', arguments: given, _meta: { progressToken: id } });
  return [
    { type: 'call', call: id, connection: 's1', method: 'tools/call', subject: 'add', params, by: 'page' },
    ...more,
    { type: 'call-end', call: id, outcome: 'ok', ms: 2, bytes: 1, tokens: 1, result },
  ];
}

function notification(id: string, progressToken: number, progress: number): object {
  const text = JSON.stringify({ method: 'notifications/progress', params: { progressToken, progress } });
  const message = { connection: 's1', call: id, from: 'server', kind: 'notification', bytes: 1, text };
  return { type: 'message', method: 'notifications/progress', ...message };
}

describe('comparing two sessions', () => {
  const lists = (...entries: object[]): object => ({
    type: 'list',
    connection: 's1',
    kind: 'tools',
    state: 'loaded',
    version: 1,
    count: 1,
    bytes: 1,
    tokens: 1,
    ms: 3,
    listed: { version: 1, entries, tokens: [] },
  });
  const own = { type: 'call', call: 'c9', connection: 's1', method: 'tools/list', params: '{}', by: 'inspector' };
  const ofOther = { ...own, call: 'c8', connection: 's2', by: 'page' };
  const before = worldWith(
    own,
    ofOther,
    lists({ name: 'add', description: 'Adds' }, { name: 'old' }),
    ...call('c1', { a: 1, b: 2 }, { content: [{ type: 'text', text: '3' }] }, [notification('c1', 1, 5)]),
    ...call('c2', { a: 2 }, { content: [{ type: 'text', text: '{"sum":2}' }] }),
  );
  const after = worldWith(
    lists({ name: 'add', description: 'Adds numbers' }, { name: 'new' }),
    ...call('c5', { b: 2, a: 1 }, { content: [{ type: 'text', text: '3' }] }, [notification('c5', 2, 5)]),
    ...call('c6', { a: 2 }, { content: [{ type: 'text', text: '{"sum":4}' }] }),
    ...call('c7', { a: 9 }, { content: [] }),
  );
  const options = { isLoose: false };
  const { parts } = compareSessions(buildSession(before, 's1', options), buildSession(after, 's1', options));

  it('compares facts, lists and calls', () => {
    const verdicts = parts.map(({ id, items }) => [id, items.map(({ name, verdict }) => `${verdict} ${name}`)]);
    expect(verdicts).toEqual([
      ['connection', ['same Revision', 'same Handshake', 'same Transport', 'same Session']],
      ['tools', ['changed add', 'removed old', 'added new']],
      ['calls', ['same tools/call add', 'changed tools/call add', 'added tools/call add']],
    ]);
    expect(parts.at(-1)?.times).toEqual({ before: 4, after: 6 });
  });

  it('collapses equal items until they are expanded', () => {
    const rows = (isAll: boolean, query = '') =>
      buildRows(parts, { query, isAll, opened: new Set() }).map((row) =>
        row.is === 'item' ? row.item.verdict : row.is === 'same' ? `${row.count} same` : row.part.id,
      );
    const tools = ['tools', 'changed', 'removed', 'added'];
    expect(rows(false)).toEqual(['connection', '4 same', ...tools, 'calls', '1 same', 'changed', 'added']);
    expect(rows(true).filter((each) => each === 'same')).toHaveLength(5);
    expect(rows(false, 'old')).toEqual(['tools', 'removed']);
  });
});
