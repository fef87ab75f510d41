import type { Reading, Sample } from './metrics.ts';

/** The figures of a server between two readings. Times are in seconds; undefined is unknown. */
export interface Figures {
  server: { name: string; version: string; node: string };
  ready: boolean | undefined;
  uptime: number | undefined;
  workers: number;
  /** The duration that the rates cover. */
  interval: number;
  requests: { total: number; perSecond: number; running: number; queued: number };
  /** Requests that ended with an error, or a failed tool. */
  errors: { total: number; perSecond: number };
  refusals: { total: number; perSecond: number };
  latency: Latency;
  sessions: { active: number; begun: number };
  streams: number;
  memory: { resident: number; heapUsed: number };
  /** The number of busy CPUs. */
  processors: number;
  loopDelay: { p50: number | undefined; p99: number | undefined; max: number | undefined };
  store: { ready: boolean; latency: number | undefined } | undefined;
  tools: ToolFigures[];
}

/** Request durations: the median and the 99th percentile. */
export interface Latency {
  p50: number | undefined;
  p99: number | undefined;
}

/** The figures of a tool. */
export interface ToolFigures extends Latency {
  tool: string;
  total: number;
  perSecond: number;
  errorsPerSecond: number;
  running: number;
}

/** A reading with its time in seconds of a monotonic clock. */
export interface TimedReading {
  reading: Reading;
  at: number;
}

const failed = new Set(['error', 'tool-error']);

/** Figures of the time between two readings. */
export function computeFigures(before: TimedReading, after: TimedReading): Figures {
  const interval = after.at - before.at;
  const { reading: now } = after;
  const { reading: then } = before;
  const rate = (name: string, wanted?: Wanted): number => growth(then, now, name, wanted) / interval;
  const { server = '', server_version: version = '', node = '' } = now.get('ccmcp_build_info')?.[0]?.labels ?? {};
  const isFailed: Wanted = ({ outcome = '' }) => failed.has(outcome);
  return {
    server: { name: server, version, node },
    ready: flag(now, 'ccmcp_ready'),
    uptime: uptimeOf(now),
    workers: now.get('ccmcp_worker_up')?.length ?? 0,
    interval,
    requests: {
      total: sum(now, 'ccmcp_requests_total'),
      perSecond: rate('ccmcp_requests_total'),
      running: sum(now, 'ccmcp_requests_running'),
      queued: sum(now, 'ccmcp_requests_queued'),
    },
    errors: { total: sum(now, 'ccmcp_requests_total', isFailed), perSecond: rate('ccmcp_requests_total', isFailed) },
    refusals: { total: sum(now, 'ccmcp_refusals_total'), perSecond: rate('ccmcp_refusals_total') },
    latency: latencyOf(then, now, () => true),
    sessions: { active: sum(now, 'ccmcp_sessions_active'), begun: sum(now, 'ccmcp_sessions_begun_total') },
    streams: sum(now, 'ccmcp_streams_open'),
    memory: { resident: sum(now, 'process_resident_memory_bytes'), heapUsed: sum(now, 'nodejs_heap_size_used_bytes') },
    processors: rate('process_cpu_seconds_total'),
    loopDelay: { p50: delay(now, '0.5'), p99: delay(now, '0.99'), max: delay(now, '1') },
    store: storeOf(now),
    tools: toolsOf(then, now, interval),
  };
}

type Wanted = (labels: Sample['labels']) => boolean;

function sum(reading: Reading, name: string, wanted: Wanted = () => true): number {
  const samples = reading.get(name) ?? [];
  return samples.reduce((total, { labels, value }) => (wanted(labels) ? total + value : total), 0);
}

/** The growth of a counter. A smaller value means that the process restarted. */
function growth(then: Reading, now: Reading, name: string, wanted: Wanted = () => true): number {
  const before = new Map((then.get(name) ?? []).map(({ labels, value }) => [keyOf(labels), value]));
  return (now.get(name) ?? []).reduce((total, { labels, value }) => {
    const known = before.get(keyOf(labels)) ?? 0;
    return wanted(labels) ? total + (value < known ? value : value - known) : total;
  }, 0);
}

function keyOf(labels: Sample['labels']): string {
  return JSON.stringify(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** One ready process of several is enough. */
function flag(reading: Reading, name: string): boolean | undefined {
  return reading.get(name)?.some(({ value }) => value === 1);
}

function uptimeOf(reading: Reading): number | undefined {
  const starts = (reading.get('process_start_time_seconds') ?? []).map(({ value }) => value);
  return starts.length === 0 ? undefined : Math.max(0, Date.now() / 1000 - Math.min(...starts));
}

function delay(reading: Reading, quantile: string): number | undefined {
  const samples = (reading.get('ccmcp_event_loop_delay_seconds') ?? []).filter(
    (each) => each.labels.quantile === quantile,
  );
  return samples.length === 0 ? undefined : Math.max(...samples.map(({ value }) => value));
}

function storeOf(reading: Reading): Figures['store'] {
  const all = reading.get('ccmcp_store_ready');
  if (all === undefined || all.length === 0) return undefined;
  const latencies = (reading.get('ccmcp_store_latency_seconds') ?? []).map(({ value }) => value);
  return {
    ready: all.every(({ value }) => value === 1),
    latency: latencies.length === 0 ? undefined : Math.max(...latencies),
  };
}

function toolsOf(then: Reading, now: Reading, interval: number): ToolFigures[] {
  const names = new Set((now.get('ccmcp_requests_running') ?? []).map(({ labels }) => labels.tool ?? ''));
  names.delete('');
  const figures = Array.from(names, (tool): ToolFigures => {
    const own: Wanted = (labels) => labels.tool === tool;
    const ownFailed: Wanted = (labels) => own(labels) && failed.has(labels.outcome ?? '');
    return {
      tool,
      total: sum(now, 'ccmcp_requests_total', own),
      perSecond: growth(then, now, 'ccmcp_requests_total', own) / interval,
      errorsPerSecond: growth(then, now, 'ccmcp_requests_total', ownFailed) / interval,
      running: sum(now, 'ccmcp_requests_running', own),
      ...latencyOf(then, now, own),
    };
  });
  return figures.toSorted((one, other) => other.perSecond - one.perSecond || other.total - one.total);
}

const buckets = 'ccmcp_request_duration_seconds_bucket';

function latencyOf(then: Reading, now: Reading, wanted: Wanted): Latency {
  const bounds = new Set((now.get(buckets) ?? []).map(({ labels }) => labels.le ?? ''));
  const grown = Array.from(bounds, (le) => ({
    bound: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le),
    count: growth(then, now, buckets, (labels) => labels.le === le && wanted(labels)),
  })).toSorted((one, other) => one.bound - other.bound);
  return { p50: quantileIn(grown, 0.5), p99: quantileIn(grown, 0.99) };
}

/** A quantile, interpolated linearly within a bucket. */
function quantileIn(grown: readonly { bound: number; count: number }[], share: number): number | undefined {
  const all = grown.at(-1)?.count ?? 0;
  if (all === 0) return undefined;
  const rank = share * all;
  const index = grown.findIndex(({ count }) => count >= rank);
  const { bound, count } = grown[index] as { bound: number; count: number };
  const below = grown[index - 1] ?? { bound: 0, count: 0 };
  // The last bucket has no upper bound.
  if (bound === Number.POSITIVE_INFINITY) return below.bound;
  return below.bound + ((bound - below.bound) * (rank - below.count)) / (count - below.count);
}
