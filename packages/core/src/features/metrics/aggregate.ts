import type { MetricFamily, MetricSample } from './text.ts';

/** The metrics of one process. */
export interface ProcessMetrics {
  /** The label of the worker; undefined for a single process. */
  readonly worker: string | undefined;
  readonly families: readonly MetricFamily[];
}

/** Aggregates the metrics of several processes. */
export function aggregate(processes: readonly ProcessMetrics[]): MetricFamily[] {
  const all = new Map<string, { family: MetricFamily; samples: Map<string, MetricSample> }>();
  for (const { worker, families } of processes) {
    for (const family of families) {
      const merged = all.get(family.name) ?? { family, samples: new Map<string, MetricSample>() };
      all.set(family.name, merged);
      const isSeparate = family.aggregation === 'separate' && worker !== undefined;
      for (const sample of family.samples) {
        const own = isSeparate ? { ...sample, labels: { ...sample.labels, worker } } : sample;
        add(merged.samples, own, family.aggregation);
      }
    }
  }
  return Array.from(all.values(), ({ family, samples }) => ({ ...family, samples: [...samples.values()] }));
}

/** The metrics to retain when a process ends: a sum over all processes must never decrease. */
export function retainedMetrics(families: readonly MetricFamily[]): MetricFamily[] {
  return families.filter(({ type, aggregation: kind = 'sum' }) => type !== 'gauge' && kind === 'sum');
}

function add(samples: Map<string, MetricSample>, sample: MetricSample, kind: MetricFamily['aggregation']): void {
  const key = JSON.stringify(Object.entries(sample.labels ?? {}));
  const known = samples.get(key);
  samples.set(key, known === undefined ? sample : joinSamples(known, sample, kind));
}

function joinSamples(one: MetricSample, other: MetricSample, kind: MetricFamily['aggregation']): MetricSample {
  if (kind === 'max') return one.value >= other.value ? one : other;
  const value = one.value + other.value;
  if (one.counts === undefined || other.counts === undefined) return { ...one, value };
  return { ...one, value, counts: one.counts.map((count, index) => count + (other.counts?.[index] ?? 0)) };
}
