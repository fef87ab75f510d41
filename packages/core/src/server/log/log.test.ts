import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { guardedLogger, type LogEntry, stderrLogger, isEnabled } from './log.ts';

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

  const lines = (): Record<string, unknown>[] =>
    written
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('has a JSON line for each entry, with its time', () => {
    stderrLogger('warning').write({ level: 'warning', logger: 'n', data: { a: 1 } });
    expect(written[0]?.endsWith('}\n')).toBe(true);
    expect(lines()).toEqual([
      { time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), level: 'warning', logger: 'n', data: { a: 1 } },
    ]);
  });

  it('has one escaped line per entry, whatever a client sends (OB-03)', () => {
    const evil = 'a\r\nb\u001B[2J\u009B31m\u0085\u202Ec\u2028d\u{E0041}\u007F';
    stderrLogger('warning').write({ level: 'warning', logger: evil, data: { [evil]: evil }, error: new Error(evil) });
    const text = written.join('');
    expect(text.indexOf('\n')).toBe(text.length - 1);
    expect(text.trimEnd()).not.toMatch(/\p{Cc}|[\u2028\u202E\u{E0041}]/u);
    expect(lines()).toMatchObject([{ logger: evil, data: { [evil]: evil }, error: expect.stringContaining(evil) }]);
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

  it('drops entries under backpressure, and counts them', () => {
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
    expect(written).toHaveLength(3);
  });

  it('counts failed writes, and reports them with the next line (FT-24)', () => {
    const { write } = stderrLogger('warning');
    const entry = { level: 'warning', logger: 'n', data: 'x' } as const;
    const results: (Error | null)[] = [new Error('ENOSPC'), new Error('ENOSPC'), null, null];
    const stderr = vi.mocked(process.stderr.write);
    stderr.mockImplementation((text, done) => {
      const error = results.shift() ?? null;
      if (error === null) written.push(String(text));
      (done as unknown as (error: Error | null) => void)(error);
      return true;
    });
    write(entry);
    write(entry);
    expect(written).toEqual([]);
    write(entry);
    write(entry);
    expect(lines().map(({ data }) => data)).toEqual(['2 log entries were left out', 'x', 'x']);
  });

  it('does not throw if stderr does (FT-24)', () => {
    const { write } = stderrLogger('warning');
    const entry = { level: 'warning', logger: 'n', data: 'x' } as const;
    vi.mocked(process.stderr.write).mockImplementationOnce(() => {
      throw new Error('EAGAIN');
    });
    write(entry);
    write(entry);
    expect(lines().map(({ data }) => data)).toEqual(['1 log entry was left out', 'x']);
  });

  it.each([
    ['data', { data: { id: 1n } }],
    ['an error', { data: 'x', error: Object.create(null) as unknown }],
  ])('says so where %s can not be written', (_, entry) => {
    stderrLogger('warning').write({ level: 'error', logger: 'n', ...entry });
    expect(lines()).toMatchObject([{ level: 'error', logger: 'n', data: 'An entry that can not be written as JSON' }]);
  });

  it('wants entries from its level on', () => {
    const logger = stderrLogger('warning');
    expect(logger.level).toBe('warning');
    expect([isEnabled(logger, 'notice'), isEnabled(logger, 'warning'), isEnabled(logger, 'error')]).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('a guarded logger', () => {
  it('has the level of the one inside, whatever that becomes', () => {
    const inner = { level: 'warning' as LogEntry['level'], write: () => {} };
    const logger = guardedLogger(inner);
    inner.level = 'error';
    expect(logger.level).toBe('error');
  });

  it.each(['throws', 'rejects'])(
    'counts what the one inside could not take, and tells when it can again: it %s',
    async (how) => {
      const taken: unknown[] = [];
      let broken = true;
      const throwing = ({ data }: LogEntry): void => {
        if (broken) throw new Error('disk full');
        taken.push(data);
      };
      const rejecting: unknown = async (entry: LogEntry) => throwing(entry);
      const { write } = guardedLogger({
        level: 'warning',
        write: how === 'throws' ? throwing : (rejecting as typeof throwing),
      });
      for (const data of ['a', 'b', 'c']) {
        expect(() => write({ level: 'error', logger: 'n', data })).not.toThrow();
        await Promise.resolve();
      }
      broken = false;
      for (const data of ['d', 'e']) write({ level: 'error', logger: 'n', data });
      expect(taken).toEqual(['3 log entries were left out', 'd', 'e']);
    },
  );
});
