import { describe, expect, it } from 'vitest';
import { Logs } from './logs.ts';

const bounds = { maxEntries: 100, maxLength: 1000 };

/** Logs with a budget of 100, and entries of these lengths. */
function logsOf(...written: [key: string, position: number, length: number][]): Logs {
  const logs = new Logs(100);
  for (const [key, position, length] of written) logs.append(key, { position, entry: 'x'.repeat(length) }, bounds);
  return logs;
}

function positions(logs: Logs, key: string, after: number): number[] | undefined {
  return logs.after(key, after)?.map(({ position }) => position);
}

describe('logs', () => {
  it('return the entries after a position', () => {
    const logs = logsOf(['a', 3, 1], ['a', 4, 1], ['a', 5, 1]);
    expect(positions(logs, 'a', 2)).toEqual([3, 4, 5]);
    expect(positions(logs, 'a', 4)).toEqual([5]);
    expect(positions(logs, 'a', 5)).toEqual([]);
    expect(positions(logs, 'a', 1)).toBeUndefined();
    expect(positions(logs, 'b', 0)).toBeUndefined();
  });

  it('have the total length of their entries', () => {
    const logs = logsOf(['a', 1, 10], ['b', 1, 20], ['a', 2, 30]);
    expect(logs.length).toBe(60);
    logs.drop('a');
    expect(logs.length).toBe(20);
    logs.drop('a');
    logs.drop('never there');
    expect(logs.length).toBe(20);
    logs.clear();
    expect(logs.length).toBe(0);
    expect(logs.after('b', 0)).toBeUndefined();
  });

  it('subtract the entries that were evicted by limits of their own log', () => {
    const logs = new Logs(100);
    for (let position = 1; position <= 5; position++) {
      logs.append('a', { position, entry: 'x'.repeat(position) }, { maxEntries: 2, maxLength: 1000 });
    }
    expect(positions(logs, 'a', 3)).toEqual([4, 5]);
    expect(logs.length).toBe(9);
    logs.append('a', { position: 6, entry: 'x'.repeat(6) }, { maxEntries: 100, maxLength: 11 });
    expect(positions(logs, 'a', 4)).toEqual([5, 6]);
    expect(logs.length).toBe(11);
    logs.append('a', { position: 7, entry: 'x'.repeat(20) }, { maxEntries: 100, maxLength: 11 });
    expect(positions(logs, 'a', 6)).toEqual([7]);
    expect(logs.length).toBe(20);
  });

  it('may fill their budget exactly', () => {
    const logs = logsOf(['a', 1, 50], ['b', 1, 50]);
    expect(positions(logs, 'a', 0)).toEqual([1]);
    logs.append('b', { position: 2, entry: 'x' }, bounds);
    expect(logs.after('a', 0)).toBeUndefined();
    expect(logs.length).toBe(51);
  });

  it('are evicted by least recent write, as many as necessary', () => {
    const logs = logsOf(['a', 1, 30], ['b', 1, 30], ['c', 1, 30], ['a', 2, 5]);
    logs.append('d', { position: 1, entry: 'x'.repeat(60) }, bounds);
    expect(['a', 'b', 'c', 'd'].map((key) => logs.after(key, 0)?.length)).toEqual([2, undefined, undefined, 1]);
    expect(logs.length).toBe(95);
  });

  it('never evict the log that is being written', () => {
    const logs = logsOf(['a', 1, 90], ['a', 2, 90]);
    expect(positions(logs, 'a', 0)).toEqual([1, 2]);
    expect(logs.length).toBe(180);
    logs.append('b', { position: 1, entry: 'x'.repeat(200) }, bounds);
    expect(logs.after('a', 0)).toBeUndefined();
    expect(positions(logs, 'b', 0)).toEqual([1]);
    expect(logs.length).toBe(200);
  });
});
