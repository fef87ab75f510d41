import { cpus } from 'node:os';
import type { Bench } from '../bench.ts';
import type { Figure, Samples } from '../figures.ts';
import type { Settings } from '../settings.ts';
import { floor as bare, mountedSubjects, subjects, taskSubjects, watchedSubjects } from '../subjects.ts';
import { catalogue, names } from './catalogue.ts';
import { type Reached, reached } from './targets.ts';

/** The fact that tells who loaded servers over HTTP. */
export const loadedBy = 'HTTP loaded by';

/** A run as it is kept. */
export interface Result {
  readonly date: string;
  readonly run: Settings['name'];
  readonly machine: { readonly node: string; readonly platform: string; readonly cores: number; readonly cpu: string };
  readonly versions: Readonly<Record<string, string>>;
  /** Who loaded the servers, and with which other Nodes they ran. */
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
  /** Median over the rounds of the ratio to the floor. */
  readonly timesFloor?: number;
  /** The same to the bare loop or server, where the floor is another; only for what is ours. */
  readonly timesBare?: number;
  /** The ratio to the best peer; only for what is ours. */
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
      metrics: metrics.map(({ name, title: metricTitle, better, digits, floor }) => ({
        name,
        title: metricTitle,
        better,
        digits,
        rows: rowsOf(samples, id, { name, better, floor }),
      })),
    })),
    targets: reached(samples),
  };
}

function rowsOf(
  samples: Samples,
  measure: string,
  { name, better, floor }: { name: string; better: 'higher' | 'lower'; floor?: string | undefined },
): Row[] {
  const best = bestPeer(samples, measure, { name, better });
  return names([
    ...subjects,
    ...watchedSubjects.slice(1),
    ...taskSubjects.slice(1),
    ...mountedSubjects.slice(1),
  ]).flatMap((subject) => {
    const figure = samples.figure(measure, subject, name);
    if (figure === undefined) return [];
    const timesFloor =
      floor === undefined ? undefined : samples.ratio(measure, subject, name, { subject: floor })?.median;
    const isOurs = subject.startsWith('ccmcp');
    const timesBare =
      isOurs && floor !== bare ? samples.ratio(measure, subject, name, { subject: bare })?.median : undefined;
    const timesBestPeer =
      isOurs && best !== undefined ? samples.ratio(measure, subject, name, { subject: best })?.median : undefined;
    return [
      {
        subject,
        ...figure,
        ...(timesFloor !== undefined && { timesFloor }),
        ...(timesBare !== undefined && { timesBare }),
        ...(timesBestPeer !== undefined && { timesBestPeer }),
      },
    ];
  });
}

function bestPeer(
  samples: Samples,
  measure: string,
  { name, better }: { name: string; better: 'higher' | 'lower' },
): string | undefined {
  const peers = subjects.flatMap(({ name: subject, kind }) => {
    const median = kind === 'peer' ? samples.figure(measure, subject, name)?.median : undefined;
    return median === undefined || Number.isNaN(median) ? [] : [{ subject, median }];
  });
  peers.sort((a, b) => (better === 'higher' ? b.median - a.median : a.median - b.median));
  return peers[0]?.subject;
}
