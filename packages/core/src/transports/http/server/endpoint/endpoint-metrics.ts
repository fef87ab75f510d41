import type { MetricFamily, MetricSample } from '../../../../features/metrics/text.ts';
import type { StatusCounts } from './counted-answers.ts';
import type { Endpoint } from './endpoint.ts';
import { readinessOf } from './health.ts';

/** The metrics of an endpoint. */
export function endpointFamilies(endpoint: Endpoint, answers: StatusCounts): MetricFamily[] {
  return [...traffic(endpoint, answers), ...usageFamilies(endpoint), ...state(endpoint)];
}

function traffic({ callers, sessions }: Endpoint, answers: StatusCounts): MetricFamily[] {
  const rejections = Array.from(callers.all.rejections ?? [], ([key, value]): MetricSample => {
    const [reason = '', scope = ''] = key.split(' ');
    return { labels: { reason, scope }, value };
  });
  const responses = Array.from(answers, ([status, value]) => ({ labels: { status: String(status) }, value }));
  const { begun, ended } = sessions.counts;
  return [
    counter('ccmcp_http_responses_total', 'Answers over HTTP, by status.', responses),
    counter(
      'ccmcp_refusals_total',
      'Requests that were rejected, by what was too much and whose limit it was.',
      rejections,
    ),
    counter('ccmcp_sessions_begun_total', 'Sessions that were begun here.', [{ value: begun }]),
    counter('ccmcp_sessions_ended_total', 'Sessions that their clients ended here.', [{ value: ended }]),
  ];
}

function usageFamilies({ callers: { all }, sessions, streams, memory }: Endpoint): MetricFamily[] {
  return [
    gauge('ccmcp_requests_queued', 'Requests that wait for their turn.', all.waiting),
    gauge('ccmcp_sessions_active', 'Sessions active on this instance.', sessions.liveCount),
    gauge('ccmcp_streams_open', 'Open event streams.', streams.size),
    gauge('ccmcp_incoming_bytes', 'What long requests take that are being read and served.', all.incoming),
    gauge(
      'ccmcp_unread_connections',
      'Connections on which answers wait to be read.',
      memory.slowConsumers.watched.size,
    ),
  ];
}

function state(endpoint: Endpoint): MetricFamily[] {
  const ready = readinessOf(endpoint) === 'ready' ? 1 : 0;
  const families = [separateGauge('ccmcp_ready', '1 where requests should be sent here, else 0.', ready)];
  const store = endpoint.store.status?.();
  if (store === undefined) return families;
  const latency = store.latencyMs === undefined ? [] : [{ value: store.latencyMs / 1000 }];
  return [
    ...families,
    separateGauge('ccmcp_store_ready', '1 where the store can be used, else 0.', store.ready ? 1 : 0),
    {
      name: 'ccmcp_store_latency_seconds',
      help: 'How long the store took to answer last.',
      type: 'gauge',
      samples: latency,
      aggregation: 'separate',
    },
  ];
}

function counter(name: string, help: string, samples: readonly MetricSample[]): MetricFamily {
  return { name, help, type: 'counter', samples };
}

function gauge(name: string, help: string, value: number): MetricFamily {
  return { name, help, type: 'gauge', samples: [{ value }] };
}

/** A gauge that must not be summed over several processes. */
function separateGauge(name: string, help: string, value: number): MetricFamily {
  return { ...gauge(name, help, value), aggregation: 'separate' };
}
