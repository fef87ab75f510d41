import { describe, expect, it } from 'vitest';
import type { InspectorEvent } from '../../shared/events.ts';
import { EventLog, FullTexts } from './event-log.ts';

function read(log: EventLog, after = 0): InspectorEvent[] {
  return Array.from(log.after(after), ({ json }) => JSON.parse(json) as InspectorEvent);
}

describe('the event log', () => {
  it('numbers events from 1, and returns those after a number', () => {
    const log = new EventLog();
    for (const message of ['a', 'b', 'c']) log.add('warning', { message });
    expect(read(log).map((event) => [event.n, event.type === 'warning' && event.message])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
    expect(read(log, 2).map(({ n }) => n)).toEqual([3]);
    expect(read(log, 3)).toEqual([]);
  });

  it('evicts the oldest events of a flood, but retains the current state', () => {
    const log = new EventLog(100);
    log.add('targets', { targets: [] });
    log.add('call', { call: 'c1', connection: 's1', method: 'ping', params: '{}', by: 'page' }, '{}');
    log.add('call', { call: 'c2', connection: 's1', method: 'ping', params: '{}', by: 'page' }, '{}');
    log.add('call-end', { call: 'c2', outcome: 'ok', ms: 1, bytes: 2, tokens: 1 });
    for (let count = 0; count < 100_000; count += 1) log.add('warning', { message: 'flood' });
    expect(log.last).toBeGreaterThan(100_004);
    const events = read(log);
    expect(events.length).toBeLessThanOrEqual(102);
    expect(events.slice(0, 2)).toMatchObject([
      { n: 1, type: 'targets' },
      { n: 2, type: 'call', call: 'c1' },
    ]);
    expect(log.texts.get(2)).toEqual({ text: '{}' });
    expect(log.texts.get(3)).toBeUndefined();
    log.add('call-end', { call: 'c1', outcome: 'ok', ms: 1, bytes: 2, tokens: 1 });
    expect(read(log).some((event) => event.type === 'call')).toBe(false);
  });

  it('evicts the oldest of long events', () => {
    const log = new EventLog(100, 10_000);
    for (let count = 0; count < 50; count += 1) log.add('warning', { message: 'x'.repeat(1000) });
    const lengths = Array.from(log.after(0), ({ json }) => json.length);
    expect(lengths.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(10_000);
    expect(lengths.length).toBeGreaterThan(5);
    expect(read(log).at(-1)).toMatchObject({ n: log.last });
  });

  it('retains a connection until it is removed, and a task until it is finished', () => {
    const log = new EventLog(100);
    const flood = (): void => {
      for (let count = 0; count < 300; count += 1) log.add('warning', { message: 'flood' });
    };
    const kept = (): string[] => read(log).flatMap(({ type }) => (/^(?:skill|task)/.test(type) ? [type] : []));
    log.add('skills', { connection: 's1', skills: [], rejected: [] });
    log.add('skill', { connection: 's1', uri: 'skill://a', instructions: 'Do it.', files: [] });
    log.add('task', { connection: 's1', task: 't1', status: 'working', value: {} });
    log.add('task', { connection: 's1', task: 't2', status: 'working', value: {} });
    flood();
    expect(kept()).toEqual(['skills', 'skill', 'task', 'task']);
    log.add('task', { connection: 's1', task: 't1', status: 'completed', value: {} });
    flood();
    expect(kept()).toEqual(['skills', 'skill', 'task']);
    log.add('forgotten', { connection: 's1' });
    expect(kept()).toEqual([]);
  });

  it('stores texts up to its limit', () => {
    const texts = new FullTexts();
    const long = 'x'.repeat(16 * 1024 * 1024 + 10);
    for (let n = 1; n <= 20; n += 1) texts.add(n, long);
    expect(texts.get(20)).toMatchObject({ truncated: true });
    expect(texts.get(20)?.text).toHaveLength(16 * 1024 * 1024);
    const kept = Array.from({ length: 20 }, (_, at) => texts.get(at + 1)?.text.length ?? 0).reduce(
      (sum, each) => sum + each,
    );
    expect(kept).toBeLessThanOrEqual(128 * 1024 * 1024);
  });
});
