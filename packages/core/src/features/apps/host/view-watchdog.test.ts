import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from './app-error.ts';
import type { SandboxReport } from './sandbox-report.ts';
import { type AwaitedStep, ViewWatchdog } from './view-watchdog.ts';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

function watching() {
  const state = {
    awaited: 'ui/initialize' as AwaitedStep,
    lastReceived: performance.now(),
    reports: [] as SandboxReport[],
    answers: true,
  };
  const problems: string[] = [];
  const watch = new ViewWatchdog(
    { initializeMs: 10_000, silenceMs: 1000 },
    {
      awaitedStep: () => state.awaited,
      reports: () => state.reports,
      lastReceivedAt: () => state.lastReceived,
      ping: async () => {
        if (!state.answers) throw new AppError('unresponsive', 'late');
      },
      onProblem: ({ problem, message }) => problems.push(`${problem}: ${message}`),
    },
  );
  return { watch, state, problems };
}

describe('the watchdog of a view', () => {
  it('reports a view that does not start, with the usual causes and then the observed one (AH-15)', () => {
    const { watch, state, problems } = watching();
    watch.waitForStart();
    vi.advanceTimersByTime(9999);
    expect(problems).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(problems).toEqual([expect.stringMatching(/^initialize: .* 10 seconds.*Usual causes/)]);
    state.reports.push({ kind: 'error', message: 'kaputt', source: '', line: 1 });
    watch.onReport();
    expect(problems[1]).toContain('Seen so far: a script failed: kaputt');
  });

  it('reports a sandbox that does not start', () => {
    const { watch, state, problems } = watching();
    state.awaited = 'sandbox';
    watch.waitForStart();
    vi.advanceTimersByTime(10_000);
    expect(problems).toEqual([expect.stringMatching(/^sandbox: /)]);
  });

  it('is silent once the view has started or was removed', () => {
    const { watch, problems } = watching();
    watch.waitForStart();
    watch.watchLiveness();
    watch.stop();
    vi.advanceTimersByTime(100_000);
    watch.onReport();
    expect(problems).toEqual([]);
  });

  it('reports an unresponsive view once, and its recovery (AH-15)', async () => {
    const { watch, state, problems } = watching();
    watch.watchLiveness();
    await vi.advanceTimersByTimeAsync(5000);
    expect(problems).toEqual([]);
    state.answers = false;
    await vi.advanceTimersByTimeAsync(5000);
    state.answers = true;
    await vi.advanceTimersByTimeAsync(5000);
    expect(problems.map((line) => line.split(':')[0])).toEqual(['unresponsive', 'responsive']);
  });
});
