import { describe, expect, it } from 'vitest';
import { Budget } from './budget.ts';
import { WatchList } from './subscriptions.ts';

describe('a budget', () => {
  it('gives all that was asked for, or nothing', () => {
    const budget = new Budget(10);
    expect([budget.take(6), budget.take(5), budget.take(4), budget.take(1)]).toEqual([true, false, true, false]);
    budget.give(6);
    expect([budget.used, budget.take(6)]).toEqual([4, true]);
  });
});

describe('a watch list', () => {
  it('takes what it holds from what all may watch, once, and gives it back', () => {
    const budget = new Budget(10_000);
    const list = new WatchList();
    for (const uri of ['a', 'a', 'bb', 'ccc']) list.add(uri, budget);
    expect([list.size, budget.used]).toEqual([3, 6 + 3 * 64]);
    list.delete('bb');
    list.delete('bb');
    expect([list.has('bb'), list.has('a'), budget.used]).toEqual([false, true, 4 + 2 * 64]);
    list.clear();
    expect([list.size, list.has('a'), budget.used]).toEqual([0, false, 0]);
  });

  it('is not changed by what is rejected', () => {
    const list = new WatchList();
    expect(() => list.add('a', new Budget(64))).toThrow('can not watch more for all');
    expect([list.size, list.has('a')]).toEqual([0, false]);
  });
});
