import type { Chromium } from './chromium.ts';

/** The frames of a page during some work. */
export type Frames = {
  /** The longest time between two frames. */
  readonly longestMs: number;
  /** The most CPU time of the main thread between two frames, which a busy machine does not change. */
  readonly workMs: number;
};

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly tdur?: number;
}

/** Traces all frames of a page during some work. */
export async function framesDuring(chromium: Chromium, work: () => Promise<void>): Promise<Frames> {
  const events: TraceEvent[] = [];
  chromium.on('Tracing.dataCollected', ({ value }) => events.push(...(value as TraceEvent[])));
  const complete = new Promise<void>((resolve) => chromium.on('Tracing.tracingComplete', () => resolve()));
  const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];
  await chromium.page('Tracing.start', { traceConfig: { includedCategories } });
  await chromium.evaluate(`new Promise((resolve) => {
    const at = (window.frameTimes = []);
    const next = (now) => {
      at.push(now);
      if (window.frameTimes === at) requestAnimationFrame(next);
      if (at.length === 5) resolve();
    };
    requestAnimationFrame(next);
  })`);
  await work();
  const at = await chromium.evaluate<number[]>(
    '(() => { const at = frameTimes; frameTimes = undefined; return at; })()',
  );
  await chromium.page('Tracing.end');
  await complete;
  const steps = at.slice(1).map((time, index) => time - (at[index] as number));
  return { longestMs: Math.max(...steps), workMs: mostWork(events) };
}

/** Adds up the tasks of the thread that draws, from one frame to the next. */
function mostWork(events: readonly TraceEvent[]): number {
  const drawn = events.find(({ name }) => name === 'FireAnimationFrame');
  const own = events
    .filter(({ pid, tid }) => pid === drawn?.pid && tid === drawn.tid)
    .filter(({ name }) => name === 'FireAnimationFrame' || name === 'RunTask')
    .sort((one, other) => one.ts - other.ts);
  let most = 0;
  let sum = 0;
  for (const { name, tdur = 0 } of own) {
    if (name === 'FireAnimationFrame') {
      most = Math.max(most, sum);
      sum = 0;
    } else sum += tdur / 1000;
  }
  return Math.max(most, sum);
}
