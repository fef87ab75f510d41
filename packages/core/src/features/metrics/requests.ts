import { ErrorCode } from '../../jsonrpc/errors.ts';
import type { Params } from '../../jsonrpc/message.ts';
import { isMethodName } from '../../revisions/history.ts';
import type { Observer, RequestEnd, RequestOutcome, RequestWatch } from '../../server/observer.ts';
import type { Server } from '../../server/server.ts';
import { engineOf } from '../../server/server-handle.ts';
import type { MetricFamily, MetricSample } from './text.ts';

/** How many tools get their own label; the others share `other`. */
const maxToolLabels = 200;

/** The upper bounds of the buckets of durations, in seconds. */
const bounds = [
  0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

const outcomes: readonly RequestOutcome[] = ['ok', 'asked', 'tool-error', 'error', 'refused', 'cancelled'];
const outcomeIndex = Object.fromEntries(outcomes.map((outcome, index) => [outcome, index])) as Record<
  RequestOutcome,
  number
>;

/** Known error codes; handlers may use any other. */
const knownCodes: ReadonlySet<number> = new Set(Object.values(ErrorCode));
const otherCode = 0;

/** The label of unknown methods and tools. */
const other = 'other';

/**
 * Counts requests by method, tool, revision and outcome, and measures their durations. Labels never contain names a
 * caller made up.
 */
export class RequestCounts implements Observer {
  readonly #server: Server;
  readonly #methods = new Map<string, Series>();
  readonly #tools = new Map<string, Series>();
  readonly #otherMethod = new Series({ method: other, tool: '' }, { timed: true });
  readonly #otherTool = new Series({ method: 'tools/call', tool: other }, { timed: true });

  constructor(server: Server) {
    this.#server = server;
  }

  begin({ method, params }: { method: string; params: Params }): RequestWatch {
    const series = method === 'tools/call' ? this.#tool(params.name) : this.#method(method);
    series.running += 1;
    return series;
  }

  #tool(name: unknown): Series {
    const known = this.#tools.get(name as string);
    if (known !== undefined) return known;
    if (typeof name !== 'string' || this.#tools.size >= maxToolLabels || !this.#server.tools.has(name))
      return this.#otherTool;
    const series = new Series({ method: 'tools/call', tool: name }, { timed: true });
    this.#tools.set(name, series);
    return series;
  }

  #method(method: string): Series {
    const known = this.#methods.get(method);
    if (known !== undefined) return known;
    const { extensions, methods } = engineOf(this.#server);
    if (!isMethodName(method) && extensions.method(method) === undefined) return this.#otherMethod;
    // The duration of a long-lived request depends on its client alone.
    const series = new Series({ method, tool: '' }, { timed: methods.of(method).longLived !== true });
    this.#methods.set(method, series);
    return series;
  }

  families(): MetricFamily[] {
    const others = [this.#otherMethod, this.#otherTool].filter(({ isUsed }) => isUsed);
    const all = [...this.#methods.values(), ...this.#tools.values(), ...others];
    return [
      {
        name: 'ccmcp_requests_total',
        help: 'Requests that are over, by how they ended.',
        type: 'counter',
        samples: all.flatMap((series) => series.ended()),
      },
      {
        name: 'ccmcp_request_duration_seconds',
        help: 'Time from a request to its answer.',
        type: 'histogram',
        samples: all.flatMap((series) => series.durations()),
      },
      {
        name: 'ccmcp_request_errors_total',
        help: 'Requests that were answered with a JSON-RPC error, by its code.',
        type: 'counter',
        samples: all.flatMap((series) => series.errors()),
      },
      {
        name: 'ccmcp_requests_running',
        help: 'Requests that are being served.',
        type: 'gauge',
        samples: all.map(({ labels, running }) => ({ labels, value: running })),
      },
    ];
  }
}

/** The series of a method or tool. It observes all of its requests, so that a request needs no observer object. */
class Series implements RequestWatch {
  readonly labels: { method: string; tool: string };
  running = 0;
  readonly #timed: boolean;
  readonly #buckets: number[] = [...bounds, Number.POSITIVE_INFINITY].map(() => 0);
  #seconds = 0;
  /** By revision, and there by outcome. */
  readonly #ended = new Map<string | undefined, number[]>();
  #lastRevision: string | undefined;
  #lastEnded: number[] | undefined;
  #errors: Map<number, number> | undefined;

  constructor(labels: { method: string; tool: string }, { timed }: { timed: boolean }) {
    this.labels = labels;
    this.#timed = timed;
  }

  get isUsed(): boolean {
    return this.running > 0 || this.#ended.size > 0;
  }

  end({ outcome, revision, durationMs, error }: RequestEnd): void {
    this.running -= 1;
    (this.#countsIn(revision)[outcomeIndex[outcome]] as number) += 1;
    if (error !== undefined) this.#countError(error.code);
    if (!this.#timed) return;
    const seconds = durationMs / 1000;
    this.#seconds += seconds;
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket += 1;
    (this.#buckets[bucket] as number) += 1;
  }

  #countsIn(revision: string | undefined): number[] {
    if (this.#lastEnded !== undefined && revision === this.#lastRevision) return this.#lastEnded;
    let counts = this.#ended.get(revision);
    if (counts === undefined) {
      counts = outcomes.map(() => 0);
      this.#ended.set(revision, counts);
    }
    this.#lastRevision = revision;
    this.#lastEnded = counts;
    return counts;
  }

  #countError(code: number): void {
    this.#errors ??= new Map();
    const known = knownCodes.has(code) ? code : otherCode;
    this.#errors.set(known, (this.#errors.get(known) ?? 0) + 1);
  }

  ended(): MetricSample[] {
    return Array.from(this.#ended, ([revision = '', counts]) =>
      counts.flatMap((value, index) => {
        const outcome = outcomes[index] as string;
        return value === 0 ? [] : [{ labels: { ...this.labels, revision, outcome }, value }];
      }),
    ).flat();
  }

  durations(): MetricSample[] {
    if (!this.#timed || this.#ended.size === 0) return [];
    return [{ labels: this.labels, value: this.#seconds, bounds, counts: [...this.#buckets] }];
  }

  errors(): MetricSample[] {
    return Array.from(this.#errors ?? [], ([code, value]) => ({
      labels: { ...this.labels, code: code === otherCode ? other : String(code) },
      value,
    }));
  }
}
