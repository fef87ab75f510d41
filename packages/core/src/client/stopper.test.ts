import { describe, expect, it } from 'vitest';
import { Stopper, toAbortSignal } from './stopper.ts';

describe('a stopper', () => {
  it('tells each listener once, in order, and who comes later nothing', () => {
    const stopper = new Stopper();
    const told: string[] = [];
    const left = (): void => void told.push('left');
    stopper.signal.addEventListener('abort', () => told.push('first'));
    stopper.signal.addEventListener('abort', left);
    stopper.signal.addEventListener('abort', () => told.push('second'));
    stopper.signal.removeEventListener('abort', left);
    expect([stopper.signal.aborted, stopper.signal.reason]).toEqual([false, undefined]);
    stopper.abort('why');
    stopper.abort('again');
    stopper.signal.addEventListener('abort', () => told.push('late'));
    stopper.signal.removeEventListener('abort', left);
    expect([stopper.signal.aborted, stopper.signal.reason, told]).toEqual([true, 'why', ['first', 'second']]);
  });
});

describe('an AbortSignal of it', () => {
  it('is aborted with it, for the same reason', () => {
    const stopper = new Stopper();
    const signal = toAbortSignal(stopper);
    expect(signal.aborted).toBe(false);
    stopper.abort('why');
    expect([signal.aborted, signal.reason]).toEqual([true, 'why']);
    expect(toAbortSignal(stopper)).toMatchObject({ aborted: true, reason: 'why' });
  });

  it('is the signal itself where that is one', () => {
    const { signal } = new AbortController();
    expect(toAbortSignal(signal)).toBe(signal);
  });
});
