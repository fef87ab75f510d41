import { hasNode } from '../../runtime/kind.ts';
import type { LoopDelay } from '../../runtime/loop-delay.ts';
import type { MetricFamily, MetricSample } from './text.ts';

/** Memory, CPU time and event loop delay of this process. */
export function processFamilies(loop: LoopDelay): MetricFamily[] {
  return hasNode ? [...memory(), ...times(), ...loopDelay(loop)] : [];
}

function memory(): MetricFamily[] {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  return [
    gauge('process_resident_memory_bytes', 'Memory that the process has.', [{ value: rss }]),
    gauge('nodejs_heap_size_used_bytes', 'What JavaScript uses of its heap.', [{ value: heapUsed }]),
    gauge('nodejs_heap_size_total_bytes', 'The heap of JavaScript.', [{ value: heapTotal }]),
    gauge('nodejs_external_memory_bytes', 'Memory of buffers and the like, beside the heap.', [{ value: external }]),
  ];
}

function times(): MetricFamily[] {
  const { user, system } = process.cpuUsage();
  const started = (Date.now() - process.uptime() * 1000) / 1000;
  return [
    {
      name: 'process_cpu_seconds_total',
      help: 'Time on the processor.',
      type: 'counter',
      samples: [{ value: (user + system) / 1e6 }],
      aggregation: 'separate',
    },
    gauge('process_start_time_seconds', 'When the process started, in seconds since 1970.', [
      { value: Math.round(started * 1000) / 1000 },
    ]),
  ];
}

function loopDelay(loop: LoopDelay): MetricFamily[] {
  const delays = loop.read();
  if (delays === undefined) return [];
  const samples: MetricSample[] = [
    { labels: { quantile: '0.5' }, value: delays.p50 },
    { labels: { quantile: '0.99' }, value: delays.p99 },
    { labels: { quantile: '1' }, value: delays.max },
  ];
  return [gauge('ccmcp_event_loop_delay_seconds', 'How late the event loop was of late.', samples)];
}

function gauge(name: string, help: string, samples: readonly MetricSample[]): MetricFamily {
  return { name, help, type: 'gauge', samples, aggregation: 'separate' };
}
