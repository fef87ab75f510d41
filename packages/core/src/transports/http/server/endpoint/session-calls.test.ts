import { expect, it } from 'vitest';
import type { RunningCall } from '../../../../server/peer.ts';
import { RunningIds } from '../sessions/running-ids.ts';
import { SessionCalls } from './session-peer.ts';

const call = {} as RunningCall;

it('has the ids of all running requests of a session', () => {
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
