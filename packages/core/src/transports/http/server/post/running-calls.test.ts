import { expect, it } from 'vitest';
import type { RunningCall } from '../../../../server/exchange.ts';
import { LateCalls } from './running-calls.ts';

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

it('calls of one request are not those of another', () => {
  new LateCalls().set(1, call);
  expect([...new LateCalls()]).toEqual([]);
});
