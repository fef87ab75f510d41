import { cpus } from 'node:os';
import type { Bench } from '../bench.ts';
import type { Figure, Samples } from '../figures.ts';
import type { Settings } from '../settings.ts';
import { floor as bare, rowNames, subjects } from '../subjects.ts';
import { catalogue, type Metric } from './catalogue.ts';
import { type Reached, evaluateTargets } from './targets.ts';

/** The fact with the load generator's name. */
export const loadedBy = 'HTTP loaded by';

/** A run as it is stored. */
export interface Result {
  readonly date: string;
  readonly run: Settings['name'];
  readonly machine: { readonly node: string; readonly platform: string; readonly cores: number; readonly cpu: string };
  readonly versions: Readonly<Record<string, string>>;
  /** The load generator, and other Nodes. */
  readonly facts?: Readonly<Record<string, string>>;
  readonly measures: readonly MeasureResult[];
  readonly targets: readonly Reached[];
}

export interface MeasureResult {
  readonly id: string;
  readonly title: string;
  readonly metrics: readonly MetricResult[];
}

export interface MetricResult {
  readonly name: string;
  readonly title: string;
  readonly better: 'higher' | 'lower';
  readonly digits: number;
  readonly rows: readonly Row[];
}

/** One subject's figure. */
export interface Row extends Figure {
  readonly subject: string;
  /** Median of the ratios to the floor. */
  readonly timesFloor?: number;
  /** The same to bare Node, if that is not the floor; only for ours. */
  readonly timesBare?: number;
  /** The same to the best peer; only for ours. */
  readonly timesBestPeer?: number;
}

/** Sums up a run. */
export function resultOf(
  { samples, settings, facts }: Pick<Bench, 'samples' | 'settings' | 'facts'>,
  versions: Record<string, string>,
): Result {
  const cores = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    run: settings.name,
    machine: {
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      cores: cores.length,
      cpu: cores[0]?.model.trim() ?? 'unknown',
    },
    versions,
    facts: Object.fromEntries(facts),
    measures: catalogue(settings).map(({ id, title, metrics }) => ({
      id,
      title,
      metrics: metrics.map((metric) => {
        const { floor: _, ...shown } = metric;
        return { ...shown, rows: rowsOf(samples, id, metric) };
      }),
    })),
    targets: evaluateTargets(samples),
  };
}

function rowsOf(samples: Samples, measure: string, { name, better, floor }: Metric): Row[] {
  const best = bestPeer(samples, measure, { name, better });
  return rowNames.flatMap((subject) => {
    const figure = samples.figure(measure, subject, name);
    if (figure === undefined) return [];
    const times = (base: string | undefined): number | undefined =>
      base === undefined ? undefined : samples.ratio(measure, subject, name, { subject: base })?.median;
    const isOurs = subject.startsWith('ccmcp');
    const ratios = {
      timesFloor: times(floor),
      timesBare: isOurs && floor !== bare ? times(bare) : undefined,
      timesBestPeer: isOurs ? times(best) : undefined,
    };
    const known = Object.entries(ratios).filter(([, value]) => value !== undefined);
    return [{ subject, ...figure, ...Object.fromEntries(known) }];
  });
}

function bestPeer(
  samples: Samples,
  measure: string,
  { name, better }: Pick<Metric, 'name' | 'better'>,
): string | undefined {
  const peers = subjects.flatMap(({ name: subject, kind }) => {
    const median = kind === 'peer' ? samples.figure(measure, subject, name)?.median : undefined;
    return median === undefined || Number.isNaN(median) ? [] : [{ subject, median }];
  });
  peers.sort((a, b) => (better === 'higher' ? b.median - a.median : a.median - b.median));
  return peers[0]?.subject;
}
