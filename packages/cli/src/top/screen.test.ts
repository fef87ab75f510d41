import { describe, expect, it } from 'vitest';
import { textWidth } from '../terminal/columns.ts';
import { renderPieces } from '../terminal/print.ts';
import { computeFigures } from './figures.ts';
import { parseMetrics } from './metrics.ts';
import { screenLines, bytes, percent, rate, span, time } from './screen.ts';

const evil = 'a\u001B[2J\\nb';
const text = [
  `ccmcp_build_info{version="1",server="${evil}",server_version="1.0.0",node="20"} 1`,
  'ccmcp_ready 1',
  'process_start_time_seconds 1000',
  'ccmcp_store_ready 0',
  'ccmcp_requests_running{method="tools/call",tool="short"} 1',
  `ccmcp_requests_running{method="tools/call",tool="${'long'.repeat(30)}"} 0`,
  `ccmcp_requests_running{method="tools/call",tool="${evil}"} 0`,
].join('\n');
const reading = parseMetrics(text);
const figures = computeFigures({ reading, at: 1 }, { reading, at: 2 });

function lines(columns: number): string[] {
  const look = { colour: false };
  return screenLines(figures, { url: 'http://127.0.0.1:9464/metrics', columns }).map((line) =>
    renderPieces(line, look),
  );
}

describe('the screen of ccmcp top', () => {
  it.each([8, 20, 33, 60, 80, 200])('has no line that is wider than %i columns', (columns) => {
    expect(lines(columns).filter((line) => textWidth(line) > columns)).toEqual([]);
  });

  it('shows as many columns as fit, the most important first', () => {
    expect(lines(120).join('\n')).toMatch(/tool +calls +p50 +p99 +errors +running +since start/);
    expect(lines(40).join('\n')).toMatch(/tool +calls +p50 +p99$/m);
    expect(lines(40).join('\n')).toMatch(/^short +0\/s +– +–$/m);
    expect(lines(120).join('\n')).toMatch(/store {5}not ready/);
  });

  it('escapes control characters and line breaks in names (OB-03)', () => {
    for (const line of lines(80)) expect(line).not.toMatch(/\p{Cc}/u);
  });
});

describe('amounts of ccmcp top', () => {
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
  ])('are formatted with three digits: %s', (written, expected) => {
    expect(written).toBe(expected);
  });
});
