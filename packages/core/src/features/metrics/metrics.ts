import { ownIdentity } from '../../protocol/identity.ts';
import { watchLoopDelay } from '../../runtime/loop-delay.ts';
import type { Server } from '../../server/server.ts';
import { type MetricFamily, metricsContentType, metricsText } from './text.ts';
import { processFamilies } from './process.ts';
import { RequestCounts } from './requests.ts';
import { aggregate } from './aggregate.ts';

/** The metrics of a server since their creation. */
export interface Metrics {
  /** Everything in the text format of Prometheus. */
  text(): string;
  /** The `Content-Type` of that text. */
  readonly contentType: string;
  /** Everything as data. */
  families(): MetricFamily[];
  /** Adds a source of custom metrics, which is called on each read. Returns a function that removes it. */
  add(source: MetricSource): () => void;
  /** Stops watching the server. */
  stop(): void;
}

/** Returns the current values of some metrics. */
export type MetricSource = () => readonly MetricFamily[];

/** Options of `metrics`. */
export interface MetricsOptions {
  /** Includes memory, CPU time and event loop delay. Set to `false` if another library exports them. Default: true. */
  process?: boolean;
}

const validName = /^[a-zA-Z_:][\w:]*$/;

/** Collects metrics of a server: its requests, this process, and each HTTP handler that gets the returned object. */
export function metrics(server: Server, options: MetricsOptions = {}): Metrics {
  const requests = new RequestCounts(server);
  const stopWatching = server.observe(requests);
  const loop = options.process === false ? undefined : watchLoopDelay();
  const sources = new Set<MetricSource>([
    () => requests.families(),
    () => buildInfo(server),
    () => (loop === undefined ? [] : processFamilies(loop)),
    () => [stuckHandlers(server)],
  ]);

  const familiesOf = (source: MetricSource): readonly MetricFamily[] => {
    try {
      return source().map(validateFamily);
    } catch (error) {
      server.reportError('Some metrics could not be read', error);
      return [];
    }
  };
  const families = (): MetricFamily[] =>
    aggregate(Array.from(sources, (source) => ({ worker: undefined, families: familiesOf(source) })));
  return {
    text: () => metricsText(families()),
    contentType: metricsContentType,
    families,
    add(source) {
      sources.add(source);
      return () => void sources.delete(source);
    },
    stop() {
      stopWatching();
      loop?.stop();
    },
  };
}

/** Validates names, because one invalid name makes the whole text unreadable. */
function validateFamily(family: MetricFamily): MetricFamily {
  const names = family.samples.flatMap(({ labels = {} }) => Object.keys(labels));
  const wrong = [family.name, ...names].find((name) => !validName.test(name));
  if (wrong === undefined) return family;
  throw new TypeError(`${JSON.stringify(wrong)} can't be the name of a metric or a label: use letters, digits and _`);
}

function buildInfo({ info }: Server): MetricFamily[] {
  const node = globalThis.process?.versions?.node ?? '';
  return [
    {
      name: 'ccmcp_build_info',
      help: 'Which server this is, and what runs it; the value is always 1.',
      type: 'gauge',
      samples: [
        { labels: { version: ownIdentity.version, server: info.name, server_version: info.version, node }, value: 1 },
      ],
      aggregation: 'max',
    },
  ];
}

function stuckHandlers({ stuck }: Server): MetricFamily {
  return {
    name: 'ccmcp_handlers_stuck',
    help: 'Handlers that still run after their timeout.',
    type: 'gauge',
    samples: [{ value: stuck.length }],
  };
}
