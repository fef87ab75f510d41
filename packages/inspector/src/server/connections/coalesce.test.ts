import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ResourceReader } from './coalesce.ts';

describe('reads of changing resources', () => {
  it('run one at a time, with one more for all changes meanwhile', async () => {
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
