import { expect, it } from 'vitest';
import { HeapMark } from './heap-mark.ts';

const MB = 1024 * 1024;

it('a full heap is noticed within a few requests, at once where there is little room, and no longer than it is full', () => {
  const use = { used: 740 * MB, limit: 1000 * MB };
  let looks = 0;
  const heap = new HeapMark(() => {
    looks += 1;
    return use;
  });
  for (let each = 0; each < 160; each++) expect(heap.above).toBe(false);
  expect(looks).toBe(10);
  use.used = 800 * MB;
  for (let each = 0; each < 16; each++) expect(heap.above).toBe(false);
  use.used = 850 * MB;
  expect(heap.above).toBe(false);
  use.used += 1;
  expect([heap.above, heap.above]).toEqual([true, true]);
  use.used = 740 * MB;
  expect(heap.above).toBe(false);
});

it('the more room there is, the more requests share a look at the heap, up to 128', () => {
  const use = { used: 100 * MB, limit: 1000 * MB };
  let looks = 0;
  const heap = new HeapMark(() => {
    looks += 1;
    return use;
  });
  const looksFor = (requests: number): number => {
    const before = looks;
    for (let each = 0; each < requests; each++) expect(heap.above).toBe(false);
    return looks - before;
  };
  expect(looksFor(1)).toBe(1);
  expect(looksFor(560)).toBe(10);
  use.limit = 10_000 * MB;
  expect(looksFor(56)).toBe(1);
  expect(looksFor(1280)).toBe(10);
});

it('the heap of a process that does little is not full', () => {
  const heap = new HeapMark();
  for (let each = 0; each < 100; each++) expect(heap.above).toBe(false);
});
