import { describe, expect, it } from 'vitest';
import { bytes, percent, rate, span, time } from './format.ts';

describe('amounts', () => {
  it.each([
    [time(undefined), '–'],
    [time(0), '0 µs'],
    [time(0.000_25), '250 µs'],
    [time(0.012_34), '12.3 ms'],
    [time(1.5), '1.5 s'],
    [time(300), '5 min'],
    [span(59.9), '59 s'],
    [span(3 * 3600 + 120), '3 h 2 min'],
    [span(50 * 3600), '2 d 2 h'],
    [rate(0), '0/s'],
    [rate(0.001), '<0.01/s'],
    [rate(12_345.6), '12346/s'],
    [bytes(80 * 1024 * 1024), '80 MiB'],
    [percent(0.1234), '12.3 %'],
  ])('are short: %s', (written, expected) => {
    expect(written).toBe(expected);
  });
});
