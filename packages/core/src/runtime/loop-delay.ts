import { hasNode } from './kind.ts';

/** Event loop delay in seconds: median, 99th percentile and maximum. */
export interface LoopDelays {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Measures event loop delay until it is stopped. */
export interface LoopDelay {
  /** The recent delay; undefined if the runtime can't measure it, or has no samples yet. */
  read(): LoopDelays | undefined;
  stop(): void;
}

/** The sampling interval in milliseconds, which the raw values include. */
const resolution = 20;
/** The length of the window in milliseconds. Several readers see the same window. */
const windowMs = 10_000;

/** Starts to measure event loop delay. */
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
  // Some runtimes export the function without an implementation.
  if (hasNode) begin().catch(() => {});
  return {
    read() {
      if (histogram === undefined || histogram.count === 0) return before;
      const now = delaysIn(histogram);
      if (performance.now() - since < windowMs) return before === undefined ? now : maxDelays(before, now);
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
    p50: toDelay(histogram.percentile(50)),
    p99: toDelay(histogram.percentile(99)),
    max: toDelay(histogram.max),
  };
}

function toDelay(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - resolution / 1000);
}

function maxDelays(one: LoopDelays, other: LoopDelays): LoopDelays {
  return {
    p50: Math.max(one.p50, other.p50),
    p99: Math.max(one.p99, other.p99),
    max: Math.max(one.max, other.max),
  };
}
