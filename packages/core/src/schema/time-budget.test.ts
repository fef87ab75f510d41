import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { TimeBudget } from './time-budget.ts';
import { CheckTimeout } from './time-limit.ts';

/** Stops the clock, except for the time that the test adds. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => {
    // Refills the shared budget for later tests.
    passed(60_000);
    new TimeBudget(() => performance.now()).run(10, () => {});
    vi.useRealTimers();
  });
}

function passed(milliseconds: number): void {
  vi.advanceTimersByTime(milliseconds);
}

/** Work of a given duration. On a busy machine it may be restarted, and must not count twice. */
function lasting(milliseconds: number): () => void {
  let left = milliseconds;
  return () => {
    const now = left;
    left = 0;
    passed(now);
  };
}

/** How long work may take that would never end. */
function limitOf(budget: TimeBudget): string {
  try {
    budget.run(50, () => {
      for (;;);
    });
  } catch (error) {
    if (error instanceof CheckTimeout) return error.message;
  }
  return 'none';
}

describe('the time budget of slow checks', () => {
  it('is per caller, and refills after it is used up', () => {
    stopClock();
    const budget = new TimeBudget(() => performance.now());
    expect(limitOf(budget)).toBe('stopped after 50 ms');
    expect(budget.run(100, lasting(970))).toBeUndefined();
    expect(limitOf(budget)).toBe('stopped after 30 ms');
    budget.run(100, lasting(400));
    expect(limitOf(budget)).toBe('stopped after 2 ms');
    passed(400);
    expect(limitOf(budget)).toBe('stopped after 20 ms');
    passed(60_000);
    expect(limitOf(budget)).toBe('stopped after 50 ms');
  });

  it('is used by failing checks, too', () => {
    stopClock();
    const budget = new TimeBudget(() => performance.now());
    const work = lasting(1000);
    const failing = (): void => {
      work();
      throw new Error('of the work');
    };
    expect(() => budget.run(100, failing)).toThrow('of the work');
    expect(limitOf(budget)).toBe('stopped after 2 ms');
  });

  it('is limited per schema and over all schemas', () => {
    stopClock();
    passed(60_000);
    for (let count = 0; count < 4; count += 1) new TimeBudget(() => performance.now()).run(100, lasting(1000));
    expect(limitOf(new TimeBudget(() => performance.now()))).toBe('stopped after 50 ms');
    new TimeBudget(() => performance.now()).run(100, lasting(1000));
    expect(limitOf(new TimeBudget(() => performance.now()))).toBe('stopped after 2 ms');
    passed(2000);
    expect(limitOf(new TimeBudget(() => performance.now()))).toBe('stopped after 50 ms');
  });
});
