import { expect, it } from 'vitest';
import type { Request } from '../../../../jsonrpc/message.ts';
import { MethodTable } from '../../../../protocol/methods.ts';
import { HeapMonitor, LongResponses } from './memory-pressure.ts';

const MB = 1024 * 1024;

it('detects a full heap within a few requests, and recovers', () => {
  const use = { used: 740 * MB, limit: 1000 * MB };
  let looks = 0;
  const heap = new HeapMonitor(() => {
    looks += 1;
    return use;
  });
  for (let each = 0; each < 160; each++) expect(heap.isFull()).toBe(false);
  expect(looks).toBe(10);
  use.used = 800 * MB;
  for (let each = 0; each < 16; each++) expect(heap.isFull()).toBe(false);
  use.used = 850 * MB;
  expect(heap.isFull()).toBe(false);
  use.used += 1;
  expect([heap.isFull(), heap.isFull()]).toEqual([true, true]);
  use.used = 740 * MB;
  expect(heap.isFull()).toBe(false);
});

it('shares one heap reading between up to 128 requests, by free memory', () => {
  const use = { used: 100 * MB, limit: 1000 * MB };
  let looks = 0;
  const heap = new HeapMonitor(() => {
    looks += 1;
    return use;
  });
  const looksFor = (requests: number): number => {
    const before = looks;
    for (let each = 0; each < requests; each++) expect(heap.isFull()).toBe(false);
    return looks - before;
  };
  expect(looksFor(1)).toBe(1);
  expect(looksFor(560)).toBe(10);
  use.limit = 10_000 * MB;
  expect(looksFor(56)).toBe(1);
  expect(looksFor(1280)).toBe(10);
});

it('does not report a full heap in an idle process', () => {
  const heap = new HeapMonitor();
  for (let each = 0; each < 100; each++) expect(heap.isFull()).toBe(false);
});

const methodTable = new MethodTable();

function call(name: string): Request {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } };
}

it('remembers which requests had long responses, up to a limit', () => {
  const responses = new LongResponses();
  responses.add(call('big'), methodTable);
  const list: Request = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  responses.add(list, methodTable);
  const expected = [call('big'), call('small'), list].map((request) => responses.has(request, methodTable));
  expect(expected).toEqual([true, false, true]);
  for (let each = 0; each < 1000; each++) responses.add(call(`t${each}`), methodTable);
  expect([responses.has(call('big'), methodTable), responses.has(call('t999'), methodTable)]).toEqual([false, true]);
});
