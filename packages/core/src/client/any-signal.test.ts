import { describe, expect, it } from 'vitest';
import { anySignal } from './any-signal.ts';

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
