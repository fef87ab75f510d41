import { effect } from '@preact/signals';
import type { AppHostOptions, HostedView } from '@ccmcp/core/apps-host';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppInstance, type AppInstanceOptions } from './app-instance.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Opens a silent view; the test sends as the view through the host options. */
function openView(): { app: AppInstance; host: AppHostOptions } {
  let host: AppHostOptions | undefined;
  const app = new AppInstance((options) => {
    host = options;
    return { ready: new Promise(() => {}) } as unknown as HostedView;
  }, {} as AppInstanceOptions);
  return { app, host: host as AppHostOptions };
}

describe('AppInstance', () => {
  it('renders a flooding view at most ten times a second, with its latest entries', () => {
    const { app, host } = openView();
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

  it('publishes the last entries when the view closes', () => {
    const { app, host } = openView();
    host.onLog?.({ level: 'error', data: { last: 'words' } });
    host.onClosed?.();
    expect(app.logs.value).toEqual([{ n: 1, level: 'error', text: '{"last":"words"}' }]);
  });

  it('truncates log entries to 2,000 characters', () => {
    const { app, host } = openView();
    host.onLog?.({ level: 'info', data: 'x'.repeat(1_000_000) });
    vi.advanceTimersByTime(100);
    expect(app.logs.value[0]?.text).toHaveLength(2000);
  });
});
