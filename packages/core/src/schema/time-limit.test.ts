import { describe, expect, it } from 'vitest';
import { CheckTimeout, runWithTimeout } from './time-limit.ts';

describe('runWithTimeout', () => {
  it('returns the result of the work', () => {
    const value = { a: 1 };
    expect(runWithTimeout(1000, () => value)).toBe(value);
  });

  it('rethrows errors of the work', () => {
    const error = new Error('of the work');
    expect(() =>
      runWithTimeout(1000, () => {
        throw error;
      }),
    ).toThrow(error);
  });

  it('rethrows other thrown values', () => {
    const thrown = [];
    try {
      runWithTimeout(1000, () => {
        // oxlint-disable-next-line no-throw-literal -- a library may do so
        throw null;
      });
    } catch (error) {
      thrown.push(error);
    }
    expect(thrown).toEqual([null]);
  });

  it('reports a timeout', () => {
    const endless = () => {
      for (;;);
    };
    expect(() => runWithTimeout(10, endless)).toThrow(
      expect.objectContaining({ name: 'CheckTimeout', message: 'stopped after 10 ms' }),
    );
  });

  it('stops endless work, in code and in a regular expression', () => {
    expect(() =>
      runWithTimeout(10, () => {
        for (;;);
      }),
    ).toThrow(CheckTimeout);
    expect(() => runWithTimeout(10, () => /^(a+)+$/.test(`${'a'.repeat(60)}!`))).toThrow(CheckTimeout);
    expect(runWithTimeout(1000, () => 'still works')).toBe('still works');
  });
});

describe('on a busy machine', () => {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const haveNoTurn = (milliseconds: number) => Atomics.wait(clock, 0, 0, milliseconds);
  // The real clock includes other threads of this process, which may be busy.
  const hadNone = () => 0;

  it('work that got no CPU in its time gets another turn', () => {
    let tries = 0;
    const work = () => {
      tries += 1;
      if (tries === 1) haveNoTurn(60_000);
      return 'done';
    };
    expect([runWithTimeout(50, work, hadNone), tries]).toEqual(['done', 2]);
  });

  it('work that got little CPU gets more wall time', () => {
    const work = () => {
      haveNoTurn(120);
      return 'done';
    };
    expect(runWithTimeout(50, work, hadNone)).toBe('done');
  });

  it('is retried twice, not forever', () => {
    // A try counts, too, when the process gets no CPU before the work begins.
    let readings = 0;
    const read = (): number => {
      readings += 1;
      return 0;
    };
    expect(() => runWithTimeout(10, () => haveNoTurn(60_000), read)).toThrow(CheckTimeout);
    expect(readings).toBe(3 * 2);
  });

  it('work that used most of its time gets no other turn', () => {
    let tries = 0;
    let busy = 0;
    const work = (): void => {
      tries += 1;
      busy += 9;
      haveNoTurn(60_000);
    };
    expect(() => runWithTimeout(10, work, () => busy)).toThrow(CheckTimeout);
    expect(tries).toBe(1);
  });
});
