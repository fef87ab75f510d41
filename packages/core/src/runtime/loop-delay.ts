import { hasNode } from './kind.ts';

/** How late the event loop was, in seconds: in the middle, of the worst in a hundred, and at its worst. */
export interface LoopDelays {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Watches how late the event loop is, until it is stopped. */
export interface LoopDelay {
  /** How late it was of late; undefined where this runtime does not say, or nothing was seen yet. */
  read(): LoopDelays | undefined;
  stop(): void;
}

/** How often it is looked at, in milliseconds. What is measured has this in it. */
const resolution = 20;
/** For so long what was seen counts as of late, in milliseconds: whoever else looks does not take it away. */
const windowMs = 10_000;

/** Begins to watch the event loop. */
export function watchLoopDelay(): LoopDelay {
  let histogram: Histogram | undefined;
  let isStopped = false;
  let before: LoopDelays | undefined;
  let since = performance.now();
  const begin = async (): Promise<void> => {
    const made = await monitor();
    if (isStopped) return;
    made.enable();
    histogram = made;
  };
  // Some runtimes have the name, and nothing behind it.
  if (hasNode) begin().catch(() => {});
  return {
    read() {
      if (histogram === undefined || histogram.count === 0) return before;
      const now = delaysIn(histogram);
      if (performance.now() - since < windowMs) return before === undefined ? now : worse(before, now);
      histogram.reset();
      since = performance.now();
      before = now;
      return now;
    },
    stop() {
      isStopped = true;
      histogram?.disable();
    },
  };
}

interface Histogram {
  readonly count: number;
  readonly max: number;
  percentile(percentile: number): number;
  enable(): unknown;
  disable(): unknown;
  reset(): void;
}

async function monitor(): Promise<Histogram> {
  const { monitorEventLoopDelay } = await import('node:perf_hooks');
  return monitorEventLoopDelay({ resolution });
}

function delaysIn(histogram: Histogram): LoopDelays {
  return {
    p50: lateBy(histogram.percentile(50)),
    p99: lateBy(histogram.percentile(99)),
    max: lateBy(histogram.max),
  };
}

function lateBy(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - resolution / 1000);
}

function worse(one: LoopDelays, other: LoopDelays): LoopDelays {
  return {
    p50: Math.max(one.p50, other.p50),
    p99: Math.max(one.p99, other.p99),
    max: Math.max(one.max, other.max),
  };
}
