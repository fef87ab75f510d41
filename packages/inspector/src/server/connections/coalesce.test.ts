import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ResourceReader } from './coalesce.ts';

describe('readings of resources that change', () => {
  it('are one at a time, and one more for all that changed meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const begun: string[] = [];
    const waiting: (() => void)[] = [];
    const readings = new ResourceReader(
      (uri) =>
        new Promise((resolve) => {
          begun.push(uri);
          waiting.push(resolve);
        }),
    );
    readings.read('r:one');
    readings.read('r:two');
    for (let times = 0; times < 50; times += 1) readings.read('r:one');
    expect(begun).toEqual(['r:one', 'r:two']);
    for (const done of waiting.splice(0)) done();
    await vi.runAllTimersAsync();
    expect(begun).toEqual(['r:one', 'r:two', 'r:one']);
  });
});
