import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchLoopDelay } from './loop-delay.ts';

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('the delay of the event loop', () => {
  it('is measured once for several readers', async () => {
    const loop = watchLoopDelay();
    onTestFinished(() => loop.stop());
    while (loop.read() === undefined) await wait(1);
    block(120);
    // It is measured when the loop turns again.
    while ((loop.read()?.max ?? 0) < 0.05) await wait(1);
    expect(loop.read()?.max).toBeGreaterThanOrEqual(0.05);
    const { p50 = Number.NaN, p99 = Number.NaN, max = Number.NaN } = loop.read() ?? {};
    expect([p50, p99, max]).toEqual([p50, p99, max].toSorted((one, other) => one - other));
  });

  it('is not measured if it was stopped before it started', async () => {
    const loop = watchLoopDelay();
    loop.stop();
    await wait(60);
    expect(loop.read()).toBeUndefined();
  });
});
