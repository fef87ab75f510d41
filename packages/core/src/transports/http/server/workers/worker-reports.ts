import type { MetricFamily } from '../../../../features/metrics/text.ts';
import { processFamilies } from '../../../../features/metrics/process.ts';
import { aggregate, retainedMetrics } from '../../../../features/metrics/aggregate.ts';
import { type LoopDelay, watchLoopDelay } from '../../../../runtime/loop-delay.ts';
import type { Report } from '../admin/report.ts';
import type { Readiness } from '../endpoint/health.ts';

/** Timeout of a worker's report, in milliseconds; after that, its last report counts. */
const defaultTimeoutMs = 1000;

/** A worker that sends reports. */
interface Reporter {
  ask(): void;
  /** Its last report. */
  last: Report | undefined;
  /** Called with its next report. */
  readonly waiting: Set<() => void>;
}

/** Combines the reports of all workers. Sums never fall: the counts of an exited worker stay. */
export class WorkerReports {
  readonly #reporters = new Map<number, Reporter>();
  readonly #timeoutMs: number;
  #remains: readonly MetricFamily[] = [];
  /** The event loop delay of the primary, which accepts connections and serves the shared store. */
  #loop: LoopDelay | undefined;

  constructor({ timeoutMs = defaultTimeoutMs } = {}) {
    this.#timeoutMs = timeoutMs;
  }

  /** Adds a worker by its number. */
  add(worker: number, ask: () => void): void {
    this.#loop ??= watchLoopDelay();
    this.#reporters.set(worker, { ask, last: undefined, waiting: new Set() });
  }

  take(worker: number, report: Report): void {
    const reporter = this.#reporters.get(worker);
    if (reporter === undefined) return;
    reporter.last = report;
    for (const finish of reporter.waiting) finish();
    reporter.waiting.clear();
  }

  /** Removes a worker that exited; its counts stay. */
  remove(worker: number): void {
    const reporter = this.#reporters.get(worker);
    this.#reporters.delete(worker);
    if (reporter === undefined) return;
    for (const finish of reporter.waiting) finish();
    const counted = retainedMetrics(reporter.last?.families ?? []);
    this.#remains = aggregate([this.#remains, counted].map((families) => ({ worker: undefined, families })));
  }

  /** Asks all workers and combines their reports. `closing`: no more requests should be routed here. */
  async all({ closing }: { closing: boolean }): Promise<Report> {
    const reporters = [...this.#reporters].toSorted(([one], [other]) => one - other);
    const answered = await Promise.all(reporters.map(([, reporter]) => answers(reporter, this.#timeoutMs)));
    const reports = reporters.map(([worker, { last }]) => ({ worker: String(worker), families: last?.families ?? [] }));
    const own = this.#loop === undefined ? [] : processFamilies(this.#loop);
    const families = aggregate([
      ...reports,
      { worker: undefined, families: this.#remains },
      { worker: 'primary', families: own },
      {
        worker: undefined,
        families: [
          workersUp(
            reporters.map(([worker]) => worker),
            answered,
          ),
        ],
      },
    ]);
    return { families, readiness: closing ? 'closing' : readinessOf(reporters.map(([, { last }]) => last?.readiness)) };
  }

  stop(): void {
    this.#loop?.stop();
  }
}

/** True once a worker has answered; false after a timeout, or if it exited. */
function answers(reporter: Reporter, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const before = reporter.last;
    const finish = (): void => {
      clearTimeout(timer);
      reporter.waiting.delete(finish);
      resolve(reporter.last !== before);
    };
    const timer = setTimeout(finish, timeoutMs);
    reporter.waiting.add(finish);
    reporter.ask();
  });
}

/** One ready worker is enough: connections go to those that are there. */
function readinessOf(all: readonly (Readiness | undefined)[]): Readiness {
  if (all.includes('ready')) return 'ready';
  return all.find((readiness) => readiness !== undefined) ?? 'starting';
}

function workersUp(workers: readonly number[], answered: readonly boolean[]): MetricFamily {
  return {
    name: 'ccmcp_worker_up',
    help: '1 where the worker answered, 0 where it took too long.',
    type: 'gauge',
    samples: workers.map((worker, index) => ({
      labels: { worker: String(worker) },
      value: answered[index] === true ? 1 : 0,
    })),
  };
}
