import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stderrLogger, wants } from './log.ts';

describe('the log on stderr', () => {
  let written: string[] = [];
  let unread = 0;

  beforeEach(() => {
    written = [];
    unread = 0;
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    vi.spyOn(process.stderr, 'writableLength', 'get').mockImplementation(() => unread);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const lines = (): Record<string, unknown>[] => written.map((line) => JSON.parse(line) as Record<string, unknown>);

  it('has a JSON line for each entry, with its time', () => {
    stderrLogger('warning').write({ level: 'warning', logger: 'n', data: { a: 1 } });
    expect(written[0]?.endsWith('}\n')).toBe(true);
    expect(lines()).toEqual([
      { time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), level: 'warning', logger: 'n', data: { a: 1 } },
    ]);
  });

  it('shows the stack of an error, or whatever else was thrown', () => {
    const { write } = stderrLogger('warning');
    const error = new Error('wrong');
    write({ level: 'error', logger: 'n', data: 'a', error });
    const bare = new Error('bare');
    delete bare.stack;
    Object.defineProperty(bare, 'stack', { value: undefined });
    write({ level: 'error', logger: 'n', data: 'b', error: bare });
    write({ level: 'error', logger: 'n', data: 'c', error: 'text' });
    write({ level: 'error', logger: 'n', data: 'd' });
    expect(lines().map((line) => line.error)).toEqual([error.stack, 'bare', 'text', undefined]);
  });

  it('leaves entries out when nobody reads, and says how many', () => {
    const { write } = stderrLogger('warning');
    const entry = { level: 'warning', logger: 'n', data: 'x' } as const;
    unread = 1024 * 1024;
    write(entry);
    expect(written).toHaveLength(1);
    unread += 1;
    write(entry);
    write(entry);
    expect(written).toHaveLength(1);
    unread = 0;
    write(entry);
    write(entry);
    expect(lines().slice(1)).toMatchObject([
      { level: 'warning', logger: 'n', data: '2 log entries were left out' },
      { data: 'x' },
      { data: 'x' },
    ]);
    expect(written).toHaveLength(4);
  });

  it('wants entries from its level on', () => {
    const logger = stderrLogger('warning');
    expect(logger.level).toBe('warning');
    expect([wants(logger, 'notice'), wants(logger, 'warning'), wants(logger, 'error')]).toEqual([false, true, true]);
  });
});
