import type { MetricFamily } from '../../../../metrics/family.ts';
import { processFamilies } from '../../../../metrics/process.ts';
import { together, whatRemains } from '../../../../metrics/together.ts';
import { limits } from '../../../../limits.ts';
import { type LoopDelay, watchLoopDelay } from '../../../../runtime/loop-delay.ts';
import type { Report } from '../admin/report.ts';
import type { Readiness } from '../endpoint/health.ts';

/** Who does not answer in this time is told of with what was known before, in milliseconds. */
const patienceMs = limits.http.workerReportMs.value;

/** A worker, as it is asked for reports. */
interface Reporter {
  ask(): void;
  /** What it told last. */
  last: Report | undefined;
  /** Called with its next report. */
  readonly waiting: Set<() => void>;
}

/** What all workers report, as one. A sum over them never falls: what a worker counted stays when it ends. */
export class WorkerReports {
  readonly #reporters = new Map<number, Reporter>();
  #remains: readonly MetricFamily[] = [];
  /** How late this process is, which hands out connections and keeps what the others share. */
  #loop: LoopDelay | undefined;

  /** Lets a worker be asked, by its number. */
  add(worker: number, ask: () => void): void {
    this.#loop ??= watchLoopDelay();
    this.#reporters.set(worker, { ask, last: undefined, waiting: new Set() });
  }

  take(worker: number, report: Report): void {
    const reporter = this.#reporters.get(worker);
    if (reporter === undefined) return;
    reporter.last = report;
    for (const heard of reporter.waiting) heard();
    reporter.waiting.clear();
  }

  /** A worker has ended: what it counted remains. */
  remove(worker: number): void {
    const reporter = this.#reporters.get(worker);
    this.#reporters.delete(worker);
    if (reporter === undefined) return;
    for (const heard of reporter.waiting) heard();
    const counted = whatRemains(reporter.last?.families ?? []);
    this.#remains = together([this.#remains, counted].map((families) => ({ worker: undefined, families })));
  }

  /** Asks all, and gives what they say together. `closing` is true where no more requests should be sent. */
  async all({ closing }: { closing: boolean }): Promise<Report> {
    const reporters = [...this.#reporters].toSorted(([one], [other]) => one - other);
    const answered = await Promise.all(reporters.map(([, reporter]) => answers(reporter)));
    const told = reporters.map(([worker, { last }]) => ({ worker: String(worker), families: last?.families ?? [] }));
    const own = this.#loop === undefined ? [] : processFamilies(this.#loop);
    const families = together([
      ...told,
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

/** True once a worker has answered; false where it takes too long, or has ended. */
function answers(reporter: Reporter): Promise<boolean> {
  return new Promise((resolve) => {
    const before = reporter.last;
    const heard = (): void => {
      clearTimeout(timer);
      reporter.waiting.delete(heard);
      resolve(reporter.last !== before);
    };
    const timer = setTimeout(heard, patienceMs);
    reporter.waiting.add(heard);
    reporter.ask();
  });
}

/** One that is ready is enough: connections are handed to those that are there. */
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
