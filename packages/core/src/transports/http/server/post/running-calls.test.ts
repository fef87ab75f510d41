import { expect, it } from 'vitest';
import type { RunningCall } from '../../../../server/exchange.ts';
import { RunningIds } from '../sessions/running-ids.ts';
import { LateCalls, SessionCalls } from './running-calls.ts';

const call = {} as RunningCall;

it('calls are kept by their ids as in a map, also where there is none yet', () => {
  const calls = new LateCalls();
  const seen = (): unknown[] => [
    calls.size,
    calls.has(1),
    calls.get(1),
    [...calls.keys()],
    [...calls.values()],
    [...calls],
  ];
  expect(seen()).toEqual([0, false, undefined, [], [], []]);
  expect(calls.delete(1)).toBe(false);
  calls.set(1, call);
  expect(seen()).toEqual([1, true, call, [1], [call], [[1, call]]]);
  expect([calls.delete(1), calls.delete(1)]).toEqual([true, false]);
  expect(seen()).toEqual([0, false, undefined, [], [], []]);
});

it('calls can be looked at one by one, and forgotten all at once', () => {
  const calls = new LateCalls();
  const seen: unknown[] = [];
  calls.forEach((...given) => seen.push(given));
  calls.set(1, call).set('1', call);
  calls.forEach((...given) => seen.push(given));
  expect(seen).toEqual([
    [call, 1, calls],
    [call, '1', calls],
  ]);
  expect([[...calls.entries()].length, Object.prototype.toString.call(calls)]).toEqual([2, '[object Map]']);
  calls.clear();
  expect(calls.size).toBe(0);
});

it('calls of one request are not those of another', () => {
  new LateCalls().set(1, call);
  expect([...new LateCalls()]).toEqual([]);
});

it('calls of a session know the ids of all its requests, until these end', () => {
  const ids = new RunningIds();
  const [one, two, other] = [new SessionCalls(ids, 's'), new SessionCalls(ids, 's'), new SessionCalls(ids, 't')];
  one.set(1, call).set(2, call);
  const known = (id: number): boolean[] => [one, two, other].map((calls) => calls.has(id));
  expect([known(1), two.get(1), two.size]).toEqual([[true, true, false], undefined, 0]);
  expect([two.delete(1), known(1)]).toEqual([false, [true, true, false]]);
  expect([one.delete(1), known(1), known(2)]).toEqual([true, [false, false, false], [true, true, false]]);
  one.clear();
  expect(known(2)).toEqual([false, false, false]);
});
