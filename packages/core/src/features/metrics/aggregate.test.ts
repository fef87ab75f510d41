import { describe, expect, it } from 'vitest';
import type { MetricFamily } from './text.ts';
import { aggregate, retainedMetrics } from './aggregate.ts';

function family(
  type: MetricFamily['type'],
  values: Record<string, number>,
  kind?: MetricFamily['aggregation'],
): MetricFamily {
  const samples = Object.entries(values).map(([a, value]) => ({ labels: { a }, value }));
  return { name: `${type} ${kind ?? ''}`, help: 'h', type, samples, ...(kind && { aggregation: kind }) };
}

function of(...processes: MetricFamily[][]): MetricFamily[] {
  return aggregate(processes.map((families, index) => ({ worker: String(index + 1), families })));
}

describe('the metrics of several processes', () => {
  it('are added up by their labels', () => {
    const [sum] = of([family('counter', { x: 1, y: 2 })], [family('counter', { y: 3, z: 4 })]);
    expect(sum?.samples).toEqual([
      { labels: { a: 'x' }, value: 1 },
      { labels: { a: 'y' }, value: 5 },
      { labels: { a: 'z' }, value: 4 },
    ]);
  });

  it('are summed per bucket for histograms', () => {
    const one: MetricFamily = {
      name: 'h',
      help: 'h',
      type: 'histogram',
      samples: [{ value: 1.5, bounds: [1], counts: [1, 2] }],
    };
    expect(of([one], [one])[0]?.samples).toEqual([{ value: 3, bounds: [1], counts: [2, 4] }]);
  });

  it('are kept separate or maximized if declared so', () => {
    const [apart] = of([family('gauge', { x: 1 }, 'separate')], [family('gauge', { x: 2 }, 'separate')]);
    expect(apart?.samples).toEqual([
      { labels: { a: 'x', worker: '1' }, value: 1 },
      { labels: { a: 'x', worker: '2' }, value: 2 },
    ]);
    const [largest] = of([family('gauge', { x: 3 }, 'max')], [family('gauge', { x: 2 }, 'max')]);
    expect(largest?.samples).toEqual([{ labels: { a: 'x' }, value: 3 }]);
  });

  it('of an ended process are retained in sums', () => {
    const kept = family('counter', { x: 1 });
    expect(retainedMetrics([kept, family('gauge', { x: 1 }), family('counter', { x: 1 }, 'separate')])).toEqual([kept]);
  });
});
