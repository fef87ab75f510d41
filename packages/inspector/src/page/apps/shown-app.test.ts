import { effect } from '@preact/signals';
import type { AppHostOptions, HostedView } from '@ccmcp/core/apps-host';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AppWish, ShownApp } from './shown-app.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A view that says nothing by itself, and what its host hears. */
function shown(): { app: ShownApp; host: AppHostOptions } {
  let host: AppHostOptions | undefined;
  const app = new ShownApp((options) => {
    host = options;
    return { ready: new Promise(() => {}) } as unknown as HostedView;
  }, {} as AppWish);
  return { app, host: host as AppHostOptions };
}

describe('a view that floods', () => {
  it('is shown ten times in a second at most, with the latest of what it sent', () => {
    const { app, host } = shown();
    let renders = 0;
    const stop = effect(() => {
      renders += app.logs.value.length + app.messages.value.length + app.findings.value.length >= 0 ? 1 : 0;
    });
    for (let n = 1; n <= 1000; n++) {
      host.onMessage?.({ from: 'view', message: n });
      host.onLog?.({ level: 'info', data: `line ${n}` });
      host.onReport?.({ kind: 'flood', dropped: n });
    }
    expect(renders).toBe(1);
    vi.advanceTimersByTime(100);
    expect(renders).toBe(2);
    expect([app.messages.value.length, app.logs.value.length, app.findings.value.length]).toEqual([500, 100, 100]);
    expect(app.logs.value.at(-1)).toEqual({ n: 1000, level: 'info', text: 'line 1000' });
    stop();
  });

  it('is shown as it was when it is ended', () => {
    const { app, host } = shown();
    host.onLog?.({ level: 'error', data: { last: 'words' } });
    host.onClosed?.();
    expect(app.logs.value).toEqual([{ n: 1, level: 'error', text: '{"last":"words"}' }]);
  });

  it('is shown with the first 2,000 characters of a log entry', () => {
    const { app, host } = shown();
    host.onLog?.({ level: 'info', data: 'x'.repeat(1_000_000) });
    vi.advanceTimersByTime(100);
    expect(app.logs.value[0]?.text).toHaveLength(2000);
  });
});
