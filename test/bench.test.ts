import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { warmUp } from '../bench/bench.ts';
import { parseLoad } from '../bench/clients/load.ts';
import { Samples } from '../bench/figures.ts';
import { quote } from '../bench/report/quote.ts';
import type { Result } from '../bench/report/result.ts';
import { withFigures, withTargets } from '../bench/report/table.ts';
import { evaluateTargets } from '../bench/report/targets.ts';
import { root } from './support/imports.ts';

const line = 'RESULT requests=2000 us=1000000 bytes=650000 p50=900 p99=4000 wrong=0 errors=0';

describe('the output of a program that loads servers', () => {
  it('is read from its line among others', () => {
    expect(parseLoad(`Running 1s test\n${line}\nbye\n`)).toEqual({
      requests: 2000,
      seconds: 1,
      bytesPerAnswer: 325,
      p50Us: 900,
      p99Us: 4000,
    });
  });

  it('fails the run if an answer was wrong, and shows it', () => {
    const printed = `${line.replace('wrong=0', 'wrong=3')}\nWRONG 404 no such session\n`;
    expect(() => parseLoad(printed)).toThrow('3 wrong answers and 0 failed connections of 2000 requests: 404 no such');
  });

  it('fails the run if connections failed, or nothing was answered or printed', () => {
    expect(() => parseLoad(line.replace('errors=0', 'errors=2'))).toThrow('2 failed connections');
    expect(() => parseLoad(line.replace('requests=2000', 'requests=0'))).toThrow('Nothing was answered');
    expect(() => parseLoad('unable to connect')).toThrow('The load was not measured: unable to connect');
  });
});

describe('the warm-up', () => {
  it('gives rounds as long as the fastest moment allowed, not the last', async () => {
    const rates = [1000, 50_000, 100_000, 2000, 2000];
    const asked: number[] = [];
    const calls = await warmUp(100, {
      atLeast: 64,
      ask: async (count) => {
        const rate = rates[Math.min(asked.length, rates.length - 1)] ?? 1;
        asked.push(count);
        return { seconds: count / rate };
      },
    });
    expect(asked.slice(0, 4)).toEqual([64, 100, 5000, 10_000]);
    expect(calls).toBe(10_000);
  });

  it('ends after some rounds if calls take long', async () => {
    let turns = 0;
    const calls = await warmUp(100, {
      atLeast: 50,
      ask: async () => {
        turns++;
        return { seconds: 10 };
      },
    });
    expect({ calls, turns }).toEqual({ calls: 50, turns: 12 });
  });
});

/** Rounds in which the median of the ratios differs from the ratio of the medians. */
function someRounds(): Samples {
  const samples = new Samples();
  const rounds = [
    [100, 100],
    [300, 200],
    [350, 400],
  ] as const;
  for (const [round, [ours, bare]] of rounds.entries()) {
    samples.add({ measure: 'http session', subject: 'ccmcp', round, values: { cpuUs: ours } });
    samples.add({ measure: 'http session', subject: 'bare Node', round, values: { cpuUs: bare } });
  }
  return samples;
}

describe('a target', () => {
  it('is compared with the median of the quotients of all rounds, beside the quotient of the medians', () => {
    expect(evaluateTargets(someRounds())).toEqual([
      {
        title: 'HTTP session CPU × bare `node:http`',
        bound: 'at most',
        target: 1.15,
        value: 1,
        low: 0.9375,
        high: 1.25,
        ofMedians: 1.5,
        met: true,
      },
    ]);
  });

  it('is omitted if the run has not measured it', () => {
    expect(evaluateTargets(new Samples())).toEqual([]);
  });
});

describe('figures of a run quoted on pages', () => {
  const result = JSON.parse(readFileSync(join(root, 'bench/results/latest.json'), 'utf8')) as Result;
  const page = readFileSync(join(root, 'docs/performance.md'), 'utf8');

  it('are those of the last complete run', () => {
    const first = readFileSync(join(root, 'README.md'), 'utf8');
    expect(withTargets(page, result)).toBe(page);
    expect(withFigures(first, result)).toBe(first);
  });

  it('are the less flattering ones of two clients', () => {
    const row = (subject: string, median: number, timesFloor: number) =>
      ({ subject, median, low: median, high: median, timesFloor }) as const;
    const measured = (id: string, times: number) => ({
      id,
      title: id,
      metrics: [
        {
          name: 'cpuUs',
          title: 'CPU',
          better: 'lower' as const,
          digits: 1,
          rows: [row('bare Node', 50, 1), row('ccmcp', 50 * times, times), row('tmcp', 300, 6), row('SDK v2', 400, 8)],
        },
      ],
    });
    const two = { ...result, measures: [measured('http session', 0.9), measured('http session, own client', 1.1)] };
    expect(quote(two).split('\n').slice(2)).toEqual(['| a call over HTTP, session, CPU µs | 55 | 50 | 1.10 | 300 |']);
  });

  it('list missed targets before met ones', () => {
    const rows = page.split('\n').filter((text) => /\| (met|\*\*missed\*\*) \|$/.test(text));
    const firstMet = rows.findIndex((text) => text.endsWith('| met |'));
    expect(rows.length).toBe(result.targets.length);
    expect(rows.slice(firstMet).filter((text) => text.includes('missed'))).toEqual([]);
  });
});
