import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plot } from '../bench/report/plot.ts';
import type { Result } from '../bench/report/result.ts';
import { root } from './support/imports.ts';

/** The average width of a character in a wide, bold font, relative to the font size. */
const widestCharacter = 0.72;

interface Text {
  text: string;
  from: number;
  to: number;
}

/** Left and right ends of the texts in a picture, in the widest font. */
function textsIn(svg: string): Text[] {
  return Array.from(svg.matchAll(/<text x="([\d.]+)"([^>]*)>([^<]*)<\/text>/g), ([, x = '', rest = '', text = '']) => {
    const size = Number(/font-size="(\d+)"/.exec(rest)?.[1] ?? 13);
    const width = text.length * size * (rest.includes('font-weight') || size === 13 ? widestCharacter : 0.55);
    const from = rest.includes('text-anchor="end"') ? Number(x) - width : Number(x);
    return { text, from, to: from + width };
  });
}

const result = JSON.parse(readFileSync(join(root, 'bench/results/latest.json'), 'utf8')) as Result;

describe('the chart of a run', () => {
  it('keeps every text inside, in any font', () => {
    const svg = plot(result);
    const width = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
    const texts = textsIn(svg);
    expect(texts.length).toBeGreaterThan(50);
    expect(texts.filter(({ from, to }) => from < 0 || to > width)).toEqual([]);
  });

  it('keeps labels and figures of one panel out of the next', () => {
    const texts = textsIn(plot(result)).filter(({ text }) => !text.includes('whiskers'));
    const middle = Number(/viewBox="0 0 (\d+)/.exec(plot(result))?.[1]) / 2;
    expect(texts.filter(({ from, to }) => from < middle && to > middle).map(({ text }) => text)).toEqual([]);
  });

  it('is equal to the stored file', () => {
    expect(readFileSync(join(root, 'bench/results/plot.svg'), 'utf8')).toBe(plot(result));
  });
});
