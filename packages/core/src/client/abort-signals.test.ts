import { describe, expect, it } from 'vitest';
import { anySignal, LightAbortController, toAbortSignal, delay } from './abort-signals.ts';

describe('anySignal', () => {
  it('aborts with the reason of the first signal that aborts', () => {
    const [a, b] = [new AbortController(), new AbortController()];
    const { signal } = anySignal([a.signal, undefined, b.signal]);
    expect(signal.aborted).toBe(false);
    b.abort(new Error('b'));
    a.abort(new Error('a'));
    expect(signal.reason).toMatchObject({ message: 'b' });
  });

  it('aborts at once if one of them has aborted', () => {
    expect(anySignal([AbortSignal.abort(new Error('before'))]).signal.reason).toMatchObject({ message: 'before' });
  });

  it('removes its listeners when it is released', () => {
    const controller = new AbortController();
    const { signal, release } = anySignal([controller.signal]);
    release();
    controller.abort();
    expect(signal.aborted).toBe(false);
  });
});

describe('LightAbortController', () => {
  it('calls each listener once and in order, and none that is added later', () => {
    const stopper = new LightAbortController();
    const notified: string[] = [];
    const left = (): void => void notified.push('left');
    stopper.signal.addEventListener('abort', () => notified.push('first'));
    stopper.signal.addEventListener('abort', left);
    stopper.signal.addEventListener('abort', () => notified.push('second'));
    stopper.signal.removeEventListener('abort', left);
    expect([stopper.signal.aborted, stopper.signal.reason]).toEqual([false, undefined]);
    stopper.abort('why');
    stopper.abort('again');
    stopper.signal.addEventListener('abort', () => notified.push('late'));
    stopper.signal.removeEventListener('abort', left);
    expect([stopper.signal.aborted, stopper.signal.reason, notified]).toEqual([true, 'why', ['first', 'second']]);
  });
});

describe('toAbortSignal', () => {
  it('aborts with the same reason', () => {
    const stopper = new LightAbortController();
    const signal = toAbortSignal(stopper);
    expect(signal.aborted).toBe(false);
    stopper.abort('why');
    expect([signal.aborted, signal.reason]).toEqual([true, 'why']);
    expect(toAbortSignal(stopper)).toMatchObject({ aborted: true, reason: 'why' });
  });

  it('returns an AbortSignal as it is', () => {
    const { signal } = new AbortController();
    expect(toAbortSignal(signal)).toBe(signal);
  });
});

describe('delay', () => {
  it('resolves at once if the signal has aborted', async () => {
    expect(await delay(60_000, AbortSignal.abort())).toBeUndefined();
  });

  it('resolves when the signal aborts', async () => {
    const controller = new AbortController();
    const paused = delay(60_000, controller.signal);
    controller.abort();
    expect(await paused).toBeUndefined();
  });
});
