import { describe, expect, it } from 'vitest';
import { parseMetrics } from './parse-metrics.ts';

describe('the text of metrics', () => {
  it('is read by name, with labels and values', () => {
    const text = '# HELP a What.\n# TYPE a counter\na 3\na{x="1",y=""} 0.5\n\nb{le="+Inf"} 2 1700000000000\n';
    expect(Object.fromEntries(parseMetrics(text))).toEqual({
      a: [
        { labels: {}, value: 3 },
        { labels: { x: '1', y: '' }, value: 0.5 },
      ],
      b: [{ labels: { le: '+Inf' }, value: 2 }],
    });
  });

  it('may hold anything in a label', () => {
    const [sample] = parseMetrics('a{x="q\\"u\\\\o\\nte}, y=",z="2"} +Inf').get('a') ?? [];
    expect(sample).toEqual({ labels: { x: 'q"u\\o\nte}, y=', z: '2' }, value: Number.POSITIVE_INFINITY });
  });

  it('may be no such text at all', () => {
    expect([...parseMetrics('<html>\n{"a":1}\n\u0000 = \n')]).toEqual([]);
  });
});
