import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InspectorEvent } from '../../shared/events.ts';
import { World } from '../model/app-state.ts';
import { axisFor } from './time-axis.ts';
import { Rows, type Wanted, withInside } from './timeline-rows.ts';

const everything: Wanted = { by: 'order', text: '', connection: '', kind: 'everything' };

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

function worldOf(events: readonly InspectorEvent[]): World {
  const world = new World();
  for (const event of events) world.take(event);
  return world;
}

describe('the rows of the timeline', () => {
  it('are the same whether they are made at once or as events come', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<'request' | 'error' | 'notification'>('request', 'error', 'notification')),
        (kinds) => {
          const events = kinds.map((kind, index) => message(index + 1, { kind }));
          const wanted: Wanted = { ...everything, kind: 'errors' };
          const growing = new World();
          const rows = new Rows();
          for (const event of events) {
            growing.take(event);
            rows.update(growing, wanted);
          }
          expect(rows.update(growing, wanted)).toEqual(new Rows().update(worldOf(events), wanted));
        },
      ),
    );
  });

  it('put what belongs to a call inside of it', () => {
    const world = worldOf([
      { type: 'call', n: 1, at: 1, call: 'k', connection: 'c1', method: 'tools/call', params: '{}', by: 'page' },
      message(2, { call: 'k' }),
      message(3, { connection: 'c2' }),
      message(4, { call: 'k', kind: 'result', from: 'server' }),
    ]);
    const rows = new Rows().update(world, { ...everything, by: 'calls' });
    expect(rows.map(({ is, event }) => [is, event.n])).toEqual([
      ['call', 2],
      ['event', 3],
    ]);
    expect(withInside(rows, new Set(['k']), world).map(({ event }) => event.n)).toEqual([2, 2, 4, 3]);
  });

  it('stop where the timeline was paused, and begin anew with another filter', () => {
    const world = worldOf([message(1), message(2, { text: '"moon"' }), message(3)]);
    const rows = new Rows();
    expect(rows.update(world, everything, 2)).toHaveLength(2);
    expect(rows.update(world, { ...everything, text: 'Moon' })).toHaveLength(1);
    expect(rows.update(world, everything)).toHaveLength(3);
  });
});

describe('the rows of a timeline whose oldest events are given up', () => {
  const events = Array.from({ length: 20 }, (_, index) => message(index + 1, index % 2 ? { text: '"moon"' } : {}));

  it.each(['', 'moon'])('are those of what is left (searched for: "%s")', (text) => {
    const world = worldOf(events);
    const rows = new Rows();
    rows.update(world, { ...everything, text });
    world.take({ type: 'dropped', n: 21, at: 21, before: 8 });
    world.take(message(22, { text: '"moon"' }));
    const left = rows.update(world, { ...everything, text });
    expect(left.map(({ event }) => event.n).at(0)).toBe(8);
    expect(left).toEqual(new Rows().update(world, { ...everything, text }));
  });

  it('stop where the timeline was paused', () => {
    const world = worldOf(events);
    const rows = new Rows();
    rows.update(world, everything, 15);
    world.take({ type: 'dropped', n: 21, at: 21, before: 8 });
    world.take(message(22));
    expect(rows.update(world, everything, 15).map(({ event }) => event.n)).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    world.take({ type: 'dropped', n: 23, at: 23, before: 17 });
    expect(rows.update(world, everything, 15)).toEqual([]);
  });

  it('keep a call for as long as it is known, once', () => {
    const world = worldOf([
      { type: 'call', n: 1, at: 1, call: 'k', connection: 'c1', method: 'tools/call', params: '{}', by: 'page' },
      message(2, { call: 'k' }),
      message(3),
    ]);
    const rows = new Rows();
    const byCall: Wanted = { ...everything, by: 'calls' };
    rows.update(world, byCall);
    world.take({ type: 'dropped', n: 4, at: 4, before: 4 });
    world.take(message(5, { call: 'k', kind: 'result', from: 'server' }));
    expect(rows.update(world, byCall).map(({ is }) => is)).toEqual(['call']);
    world.take({ type: 'call-end', n: 6, at: 6, call: 'k', outcome: 'ok', ms: 5, bytes: 2, tokens: 1 });
    world.take({ type: 'dropped', n: 7, at: 7, before: 7 });
    expect(rows.update(world, byCall)).toEqual([]);
    expect(world.calls.size).toBe(0);
  });
});

describe('a search in the timeline', () => {
  it('finds whatever is typed, letter by letter and without regard to case', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (text, before) => {
        const world = worldOf([message(1, { text: `${before}${text}` })]);
        expect(new Rows().update(world, { ...everything, text })).toHaveLength(1);
      }),
    );
    const world = worldOf([message(1, { text: 'ÄPFEL (3.5)', method: 'tools/call', subject: 'pick' })]);
    for (const text of ['äpfel', '(3.5)', 'TOOLS/CALL PICK'])
      expect(new Rows().update(world, { ...everything, text })).toHaveLength(1);
    expect(new Rows().update(world, { ...everything, text: '3x5' })).toHaveLength(0);
  });
});

describe('the axis of the timeline', () => {
  it('keeps the order of moments, from 0 to 1', () => {
    const stretch = fc.tuple(fc.nat(100_000), fc.nat(5000)).map(([from, ms]) => ({ from, to: from + ms }));
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1 }), (stretches) => {
        const axis = axisFor(stretches);
        const moments = stretches.flatMap(({ from, to }) => [from, to]).sort((a, b) => a - b);
        const places = moments.map(axis);
        expect(places.toSorted((a, b) => a - b)).toEqual(places);
        expect(places.every((place) => place >= 0 && place <= 1)).toBe(true);
      }),
    );
  });

  it('draws a pause of an hour as a short one, and what goes on as long as it was', () => {
    const axis = axisFor([
      { from: 0, to: 300 },
      { from: 3_600_000, to: 3_600_100 },
    ]);
    expect(axis(300) - axis(0)).toBeCloseTo(300 / 416);
    expect(axis(3_600_000) - axis(300)).toBeCloseTo(16 / 416);
  });
});
