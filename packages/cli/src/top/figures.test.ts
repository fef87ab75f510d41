import { describe, expect, it } from 'vitest';
import { type Figures, computeFigures } from './figures.ts';
import { parseMetrics } from './metrics.ts';

const call = (tool: string, outcome: string): string =>
  `ccmcp_requests_total{method="tools/call",tool="${tool}",revision="r",outcome="${outcome}"}`;

/** Histogram lines with cumulative counts. */
function durations(tool: string, counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(
      ([le, count]) => `ccmcp_request_duration_seconds_bucket{method="tools/call",tool="${tool}",le="${le}"} ${count}`,
    )
    .join('\n');
}

function between(before: string, after: string, seconds = 2): Figures {
  return computeFigures({ reading: parseMetrics(before), at: 10 }, { reading: parseMetrics(after), at: 10 + seconds });
}

describe('the figures of ccmcp top', () => {
  it('are rates between two readings', () => {
    const { requests, errors } = between(
      `${call('a', 'ok')} 10\n${call('a', 'error')} 1`,
      `${call('a', 'ok')} 30\n${call('a', 'error')} 2\n${call('b', 'tool-error')} 3`,
    );
    expect(requests).toMatchObject({ total: 35, perSecond: 12 });
    expect(errors).toEqual({ total: 5, perSecond: 2 });
  });

  it('restart with the server', () => {
    expect(between(`${call('a', 'ok')} 1000`, `${call('a', 'ok')} 4`).requests.perSecond).toBe(2);
  });

  it('have latencies of the interval, spread evenly within a bucket', () => {
    const before = durations('a', { '0.1': 100, '0.2': 100, '+Inf': 100 });
    const after = durations('a', { '0.1': 100, '0.2': 104, '+Inf': 104 });
    const { p50, p99 } = between(before, after).latency;
    expect(p50).toBeCloseTo(0.15);
    expect(p99).toBeCloseTo(0.199);
  });

  it('have no latency without calls, and none above the largest bound', () => {
    const counts = { '0.1': 1, '+Inf': 1 };
    expect(between(durations('a', counts), durations('a', counts)).latency).toEqual({ p50: undefined, p99: undefined });
    expect(between('', durations('a', { '0.1': 0, '+Inf': 5 })).latency.p99).toBe(0.1);
  });

  it('are listed by tool, the busiest first', () => {
    const running = ['a', 'b'].map((tool) => `ccmcp_requests_running{method="tools/call",tool="${tool}"} 1`).join('\n');
    const list = 'ccmcp_requests_running{method="tools/list",tool=""} 0';
    const { tools } = between(running, `${running}\n${list}\n${call('a', 'ok')} 2\n${call('b', 'ok')} 8`);
    expect(tools).toMatchObject([
      { tool: 'b', perSecond: 4, running: 1 },
      { tool: 'a', perSecond: 1, running: 1 },
    ]);
  });

  it('sum up several processes, and show the worst value if a sum makes no sense', () => {
    const text = [
      'process_resident_memory_bytes{worker="1"} 10',
      'process_resident_memory_bytes{worker="2"} 20',
      'ccmcp_event_loop_delay_seconds{quantile="0.99",worker="1"} 0.5',
      'ccmcp_event_loop_delay_seconds{quantile="0.99",worker="2"} 0.1',
      'ccmcp_worker_up{worker="1"} 1',
      'ccmcp_worker_up{worker="2"} 1',
      'ccmcp_ready{worker="1"} 0',
      'ccmcp_ready{worker="2"} 1',
      'ccmcp_store_ready{worker="1"} 0',
      'ccmcp_store_ready{worker="2"} 1',
      'ccmcp_store_latency_seconds{worker="2"} 0.25',
    ].join('\n');
    expect(between(text, text)).toMatchObject({
      memory: { resident: 30 },
      loopDelay: { p99: 0.5 },
      workers: 2,
      ready: true,
      store: { ready: false, latency: 0.25 },
    });
  });
});
