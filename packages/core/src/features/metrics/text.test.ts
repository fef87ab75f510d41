import { describe, expect, it } from 'vitest';
import { metricsText } from './text.ts';

describe('metrics as text', () => {
  it('have a help, a type and a line for each value', () => {
    const samples = [{ value: 2 }, { labels: { a: 'x', b: '' }, value: 0.5 }];
    expect(metricsText([{ name: 'n_total', help: 'What it is.', type: 'counter', samples }])).toBe(
      '# HELP n_total What it is.\n# TYPE n_total counter\nn_total 2\nn_total{a="x",b=""} 0.5\n',
    );
  });

  it('write a histogram with cumulative buckets', () => {
    const samples = [{ labels: { a: 'x' }, value: 7.5, bounds: [0.1, 1], counts: [2, 0, 3] }];
    expect(
      metricsText([{ name: 'n', help: 'h', type: 'histogram', samples }])
        .split('\n')
        .slice(2),
    ).toEqual([
      'n_bucket{a="x",le="0.1"} 2',
      'n_bucket{a="x",le="1"} 2',
      'n_bucket{a="x",le="+Inf"} 5',
      'n_sum{a="x"} 7.5',
      'n_count{a="x"} 5',
      '',
    ]);
  });

  it('escape newlines and control characters of labels (OB-03)', () => {
    const evil = 'a"b\\c\nd\r\u001B[2Je\u0000';
    const text = metricsText([{ name: 'n', help: evil, type: 'gauge', samples: [{ labels: { a: evil }, value: 1 }] }]);
    expect(text).toBe(
      '# HELP n a"b\\\\c\\nd\uFFFD\uFFFD[2Je\uFFFD\n# TYPE n gauge\nn{a="a\\"b\\\\c\\nd\uFFFD\uFFFD[2Je\uFFFD"} 1\n',
    );
  });

  it('write infinity and NaN', () => {
    const samples = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN].map((value) => ({ value }));
    expect(metricsText([{ name: 'n', help: 'h', type: 'gauge', samples }])).toMatch(/n \+Inf\nn -Inf\nn NaN\n$/);
  });
});
