import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { logText, stderrLogger } from './log.ts';

const entry = { time: '1999-12-31T23:59:58.123Z', level: 'error', logger: 'mine', data: 'It failed' };

describe('an entry of the log on a terminal', () => {
  it('is a line, with the error below it', () => {
    expect(logText(entry)).toBe('23:59:58 error mine: It failed\n');
    expect(logText({ ...entry, data: { a: [1] } })).toBe('23:59:58 error mine: {"a":[1]}\n');
    expect(logText({ ...entry, error: 'Error: no\n    at x.js:1:2' })).toBe(
      '23:59:58 error mine: It failed\n    Error: no\n        at x.js:1:2\n',
    );
  });

  it('lets nothing that a client sent pass for an entry, nor steer the terminal (OB-03)', () => {
    const evil = 'a\n23:59:59 info mine: All is well\u001B[2J';
    const text = logText({ ...entry, logger: evil, data: evil, error: evil });
    expect(text.split('\n').filter((line) => /^\d/.test(line))).toHaveLength(1);
    expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('is what the log on stderr writes there', () => {
    const { stderr } = process;
    const before = Object.getOwnPropertyDescriptor(stderr, 'isTTY');
    Object.defineProperty(stderr, 'isTTY', { value: true, configurable: true });
    onTestFinished(() => {
      if (before === undefined) delete (stderr as { isTTY?: boolean }).isTTY;
      else Object.defineProperty(stderr, 'isTTY', before);
    });
    const write = vi.spyOn(stderr, 'write').mockReturnValue(true);
    onTestFinished(() => write.mockRestore());
    stderrLogger('warning').write({ level: 'error', logger: 'mine', data: 'It failed', error: 'why' });
    expect(write.mock.calls[0]?.[0]).toMatch(/^\d\d:\d\d:\d\d error mine: It failed\n {4}why\n$/);
  });
});
