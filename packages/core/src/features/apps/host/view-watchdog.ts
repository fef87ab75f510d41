import { pageLimits as limits } from '../../../page-limits.ts';
import { AppError } from './app-error.ts';
import type { AppHostOptions } from './options.ts';
import type { SandboxReport } from './sandbox-report.ts';

const maxCauses = 3;

/** The next step that a view or its sandbox has to take. */
export type AwaitedStep = 'sandbox' | 'ui/initialize' | 'ui/notifications/initialized';

/** The target of the watchdog. */
export interface WatchdogTarget {
  /** The awaited step. */
  awaitedStep(): AwaitedStep;
  reports(): readonly SandboxReport[];
  lastReceivedAt(): number;
  ping(timeoutMs: number): Promise<unknown>;
  onProblem(error: AppError): void;
}

/** Reports a view that never starts, and one that stops responding. */
export class ViewWatchdog {
  readonly #target: WatchdogTarget;
  readonly #initializeMs: number;
  readonly #silenceMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOverdue = false;
  #isSilent = false;

  constructor(options: Pick<AppHostOptions, 'initializeMs' | 'silenceMs'>, watched: WatchdogTarget) {
    this.#target = watched;
    this.#initializeMs = options.initializeMs ?? limits.appHost.initializeMs.value;
    this.#silenceMs = options.silenceMs ?? limits.appHost.silenceMs.value;
  }

  /** Starts the timeout for the frame or its view. */
  waitForStart(): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#isOverdue = true;
      this.#target.onProblem(this.#startTimeoutError());
    }, this.#initializeMs);
  }

  /** A report may be the cause if the start is overdue. */
  onReport(): void {
    if (this.#isOverdue && this.#target.reports().length <= maxCauses)
      this.#target.onProblem(this.#startTimeoutError());
  }

  /** The view has started: checks from now on that it responds. */
  watchLiveness(): void {
    this.stop();
    this.#timer = setTimeout(() => void this.#checkLiveness(), this.#silenceMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isOverdue = false;
  }

  async #checkLiveness(): Promise<void> {
    const timer = this.#timer;
    const isQuiet = performance.now() - this.#target.lastReceivedAt() >= this.#silenceMs;
    const isThere = !isQuiet || (await this.#respondsToPing());
    // It may have been stopped or restarted meanwhile.
    if (timer !== this.#timer) return;
    if (isThere === this.#isSilent) {
      this.#isSilent = !isThere;
      this.#target.onProblem(
        isThere
          ? new AppError('responsive', 'The view answers again')
          : new AppError(
              'unresponsive',
              `The view has not answered for ${this.#silenceMs / 1000} seconds: its script is busy or stuck, or knows no ping`,
            ),
      );
    }
    this.watchLiveness();
  }

  /** Any answer counts: a page without ping answers with an error. */
  #respondsToPing(): Promise<boolean> {
    return this.#target.ping(this.#silenceMs).then(
      () => true,
      (error: unknown) => !(error instanceof AppError),
    );
  }

  #startTimeoutError(): AppError {
    const seconds = this.#initializeMs / 1000;
    const awaited = this.#target.awaitedStep();
    if (awaited === 'sandbox') {
      return new AppError(
        'sandbox',
        `The sandbox has not answered for ${seconds} seconds: is it served at sandboxUrl, and is this page one of its "hosts"?`,
      );
    }
    return new AppError(
      'initialize',
      `The view has not sent ${awaited} for ${seconds} seconds. ${describeCauses(this.#target.reports())}`,
    );
  }
}

/** Why a view may not start: the reports so far, or the usual causes. */
function describeCauses(reports: readonly SandboxReport[]): string {
  const seen = reports.flatMap((report) => {
    if (report.kind === 'error') return [`a script failed: ${report.message}`];
    if (report.kind === 'policy')
      return [`its policy stopped ${report.blocked} (${report.directive}; ${report.advice})`];
    return [];
  });
  if (seen.length > 0) return `Seen so far: ${seen.slice(0, maxCauses).join('; ')}`;
  return (
    'No error was seen. Usual causes: the page never calls connect() or waits for something first; it expects a host of another kind; ' +
    'the document is not the one that was meant (compare the address of the view in the tool and in the resource)'
  );
}
