import type { MetricResult, Result, Row } from './result.ts';
import { floor, subjects } from '../subjects.ts';

interface Quoted {
  readonly title: string;
  /** Of several, the one with our worst ratio to the floor. */
  readonly measures: readonly string[];
  readonly metric: string;
  readonly digits: number;
}

const quoted: readonly Quoted[] = [
  { title: 'start-up on stdio, ms', measures: ['start'], metric: 'ms', digits: 0 },
  { title: 'memory then, MB', measures: ['start'], metric: 'residentMb', digits: 0 },
  { title: 'a call over stdio, CPU µs', measures: ['stdio handshake'], metric: 'cpuUs', digits: 1 },
  { title: 'the same, 2026-07-28', measures: ['stdio 2026-07-28'], metric: 'cpuUs', digits: 1 },
  ...['stateless', 'session', '2026-07-28'].map((mode) => ({
    title: `a call over HTTP, ${mode}, CPU µs`,
    measures: [`http ${mode}`, `http ${mode}, own client`],
    metric: 'cpuUs',
    digits: 0,
  })),
];

/** The README's table: ours, the floor's, the ratio, and the best peer's. */
export function quote(result: Result): string {
  const rows = quoted.flatMap(({ title, measures, metric, digits }) => {
    const found = measures.flatMap((id) => metricOf(result, id, metric) ?? []);
    const [worst] = found.sort((a, b) => (timesFloor(b) ?? 0) - (timesFloor(a) ?? 0));
    const own = rowOf(worst, 'ccmcp');
    const bare = rowOf(worst, floor);
    if (worst === undefined || own === undefined || bare === undefined) return [];
    const show = (row: Row | undefined): string => row?.median.toFixed(digits) ?? '–';
    return [[title, show(own), show(bare), timesFloor(worst)?.toFixed(2) ?? '–', show(bestPeer(worst))]];
  });
  const head = ['', 'ccmcp', 'bare Node', '×', 'best other library'];
  const rule = head.map((_, column) => (column === 0 ? '---' : '--:'));
  return [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function metricOf({ measures }: Result, id: string, metric: string): MetricResult | undefined {
  const found = measures.find((measure) => measure.id === id)?.metrics.find(({ name }) => name === metric);
  return rowOf(found, 'ccmcp') === undefined ? undefined : found;
}

function rowOf(metric: MetricResult | undefined, subject: string): Row | undefined {
  return metric?.rows.find((row) => row.subject === subject && !Number.isNaN(row.median));
}

/** The ratio to bare Node, also where the table has another floor. */
function timesFloor(metric: MetricResult): number | undefined {
  const own = rowOf(metric, 'ccmcp');
  const bare = rowOf(metric, floor)?.timesFloor;
  if (own?.timesBare !== undefined) return own.timesBare;
  return own?.timesFloor === undefined || bare === undefined ? undefined : own.timesFloor / bare;
}

function bestPeer({ rows, better }: MetricResult): Row | undefined {
  const peers = rows.filter(({ subject }) => subjects.some(({ name, kind }) => name === subject && kind === 'peer'));
  return peers.sort((a, b) => (better === 'lower' ? a.median - b.median : b.median - a.median))[0];
}
