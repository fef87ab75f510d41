import { describe, expect, it } from 'vitest';
import { anySignal, LightAbortController, toAbortSignal, delay } from './abort-signals.ts';

describe('a signal that stands for several', () => {
  it('is aborted with the reason of the first that is', () => {
    const [a, b] = [new AbortController(), new AbortController()];
    const { signal } = anySignal([a.signal, undefined, b.signal]);
    expect(signal.aborted).toBe(false);
    b.abort(new Error('b'));
    a.abort(new Error('a'));
    expect(signal.reason).toMatchObject({ message: 'b' });
  });

  it('is aborted at once where one of them is', () => {
    expect(anySignal([AbortSignal.abort(new Error('before'))]).signal.reason).toMatchObject({ message: 'before' });
  });

  it('watches none of them after it is released', () => {
    const controller = new AbortController();
    const { signal, release } = anySignal([controller.signal]);
    release();
    controller.abort();
    expect(signal.aborted).toBe(false);
  });
});

describe('a stopper', () => {
  it('tells each listener once, in order, and who comes later nothing', () => {
    const stopper = new LightAbortController();
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
    const stopper = new LightAbortController();
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

describe('a pause', () => {
  it('is none where it was called off before', async () => {
    expect(await delay(60_000, AbortSignal.abort())).toBeUndefined();
  });

  it('is over when it is called off', async () => {
    const controller = new AbortController();
    const paused = delay(60_000, controller.signal);
    controller.abort();
    expect(await paused).toBeUndefined();
  });
});
