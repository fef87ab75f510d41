import { expect, it } from 'vitest';
import { limitConcurrency } from './diagnose.ts';

it('runs up to a maximum at once, the others in order, also after a failure', async () => {
  const inTurn = limitConcurrency(2);
  const began: number[] = [];
  const ends: (() => void)[] = [];
  const wait = (number: number) => () =>
    new Promise<number>((resolve, reject) => {
      began.push(number);
      ends[number] = () => (number === 0 ? reject(new Error('broken')) : resolve(number));
    });
  const all = [0, 1, 2, 3].map((number) => inTurn(wait(number)));
  const [first] = all;
  expect(began).toEqual([0, 1]);
  ends[0]?.();
  await expect(first).rejects.toThrow('broken');
  expect(began).toEqual([0, 1, 2]);
  ends[2]?.();
  expect(await all[2]).toBe(2);
  expect(began).toEqual([0, 1, 2, 3]);
  ends[1]?.();
  ends[3]?.();
  expect(await Promise.all([all[1], all[3]])).toEqual([1, 3]);
});
