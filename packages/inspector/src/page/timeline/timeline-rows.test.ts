import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InspectorEvent } from '../../shared/events.ts';
import { AppState } from '../model/app-state.ts';
import { createTimeAxis, expandCalls, type RowFilter, TimelineRows } from './timeline-rows.ts';

const everything: RowFilter = { by: 'order', text: '', connection: '', kind: 'everything' };

function message(n: number, over: Partial<InspectorEvent<'message'>> = {}): InspectorEvent {
  return {
    type: 'message',
    n,
    at: n,
    connection: 'c1',
    from: 'client',
    kind: 'request',
    bytes: 2,
    text: '{}',
    ...over,
  };
}

function worldOf(events: readonly InspectorEvent[]): AppState {
  const appState = new AppState();
  for (const event of events) appState.apply(event);
  return appState;
}

describe('timeline rows', () => {
  it('are the same whether built at once or incrementally', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<'request' | 'error' | 'notification'>('request', 'error', 'notification')),
        (kinds) => {
          const events = kinds.map((kind, index) => message(index + 1, { kind }));
          const filter: RowFilter = { ...everything, kind: 'errors' };
          const growing = new AppState();
          const rows = new TimelineRows();
          for (const event of events) {
            growing.apply(event);
            rows.update(growing, filter);
          }
          expect(rows.update(growing, filter)).toEqual(new TimelineRows().update(worldOf(events), filter));
        },
      ),
    );
  });

  it('are grouped by call', () => {
    const appState = worldOf([
      { type: 'call', n: 1, at: 1, call: 'k', connection: 'c1', method: 'tools/call', params: '{}', by: 'page' },
      message(2, { call: 'k' }),
      message(3, { connection: 'c2' }),
      message(4, { call: 'k', kind: 'result', from: 'server' }),
    ]);
    const rows = new TimelineRows().update(appState, { ...everything, by: 'calls' });
    expect(rows.map(({ is, event }) => [is, event.n])).toEqual([
      ['call', 2],
      ['event', 3],
    ]);
    expect(expandCalls(rows, new Set(['k']), appState).map(({ event }) => event.n)).toEqual([2, 2, 4, 3]);
  });

  it('stop at a pause, and are rebuilt for another filter', () => {
    const appState = worldOf([message(1), message(2, { text: '"moon"' }), message(3)]);
    const rows = new TimelineRows();
    expect(rows.update(appState, everything, 2)).toHaveLength(2);
    expect(rows.update(appState, { ...everything, text: 'Moon' })).toHaveLength(1);
    expect(rows.update(appState, everything)).toHaveLength(3);
  });
});

describe('timeline rows after events were dropped', () => {
  const events = Array.from({ length: 20 }, (_, index) => message(index + 1, index % 2 ? { text: '"moon"' } : {}));

  it.each(['', 'moon'])('are those of what is left (searched for: "%s")', (text) => {
    const appState = worldOf(events);
    const rows = new TimelineRows();
    rows.update(appState, { ...everything, text });
    appState.apply({ type: 'dropped', n: 21, at: 21, before: 8 });
    appState.apply(message(22, { text: '"moon"' }));
    const left = rows.update(appState, { ...everything, text });
    expect(left.map(({ event }) => event.n).at(0)).toBe(8);
    expect(left).toEqual(new TimelineRows().update(appState, { ...everything, text }));
  });

  it('stop at a pause', () => {
    const appState = worldOf(events);
    const rows = new TimelineRows();
    rows.update(appState, everything, 15);
    appState.apply({ type: 'dropped', n: 21, at: 21, before: 8 });
    appState.apply(message(22));
    expect(rows.update(appState, everything, 15).map(({ event }) => event.n)).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    appState.apply({ type: 'dropped', n: 23, at: 23, before: 17 });
    expect(rows.update(appState, everything, 15)).toEqual([]);
  });

  it('keep a known call, once', () => {
    const appState = worldOf([
      { type: 'call', n: 1, at: 1, call: 'k', connection: 'c1', method: 'tools/call', params: '{}', by: 'page' },
      message(2, { call: 'k' }),
      message(3),
    ]);
    const rows = new TimelineRows();
    const byCall: RowFilter = { ...everything, by: 'calls' };
    rows.update(appState, byCall);
    appState.apply({ type: 'dropped', n: 4, at: 4, before: 4 });
    appState.apply(message(5, { call: 'k', kind: 'result', from: 'server' }));
    expect(rows.update(appState, byCall).map(({ is }) => is)).toEqual(['call']);
    appState.apply({ type: 'call-end', n: 6, at: 6, call: 'k', outcome: 'ok', ms: 5, bytes: 2, tokens: 1 });
    appState.apply({ type: 'dropped', n: 7, at: 7, before: 7 });
    expect(rows.update(appState, byCall)).toEqual([]);
    expect(appState.calls.size).toBe(0);
  });
});

describe('the timeline search', () => {
  it('finds any text, case-insensitively', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (text, before) => {
        const appState = worldOf([message(1, { text: `${before}${text}` })]);
        expect(new TimelineRows().update(appState, { ...everything, text })).toHaveLength(1);
      }),
    );
    const appState = worldOf([message(1, { text: 'ÄPFEL (3.5)', method: 'tools/call', subject: 'pick' })]);
    for (const text of ['äpfel', '(3.5)', 'TOOLS/CALL PICK'])
      expect(new TimelineRows().update(appState, { ...everything, text })).toHaveLength(1);
    expect(new TimelineRows().update(appState, { ...everything, text: '3x5' })).toHaveLength(0);
  });
});

describe('the time axis', () => {
  it('keeps the order of times, from 0 to 1', () => {
    const stretch = fc.tuple(fc.nat(100_000), fc.nat(5000)).map(([from, ms]) => ({ from, to: from + ms }));
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1 }), (stretches) => {
        const axis = createTimeAxis(stretches);
        const moments = stretches.flatMap(({ from, to }) => [from, to]).sort((a, b) => a - b);
        const places = moments.map(axis);
        expect(places.toSorted((a, b) => a - b)).toEqual(places);
        expect(places.every((place) => place >= 0 && place <= 1)).toBe(true);
      }),
    );
  });

  it('shortens a pause of an hour, and keeps activity in scale', () => {
    const axis = createTimeAxis([
      { from: 0, to: 300 },
      { from: 3_600_000, to: 3_600_100 },
    ]);
    expect(axis(300) - axis(0)).toBeCloseTo(300 / 416);
    expect(axis(3_600_000) - axis(300)).toBeCloseTo(16 / 416);
  });
});
