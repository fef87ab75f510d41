import { pageLimits as limits } from '../../../page-limits.ts';
import { AppError } from './app-error.ts';
import type { AppHostOptions } from './options.ts';
import type { SandboxReport } from './sandbox-report.ts';

const shownCauses = 3;

/** What a view, or its sandbox, has to do next. */
export type AwaitedStep = 'sandbox' | 'ui/initialize' | 'ui/notifications/initialized';

/** What is watched of a view. */
export interface Watched {
  /** What is waited for. */
  awaited(): AwaitedStep;
  reports(): readonly SandboxReport[];
  lastHeard(): number;
  ping(timeoutMs: number): Promise<unknown>;
  onProblem(error: AppError): void;
}

/** Says so where a view never begins, and where it answers no more. */
export class Watch {
  readonly #watched: Watched;
  readonly #initializeMs: number;
  readonly #silenceMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOverdue = false;
  #isSilent = false;

  constructor(options: Pick<AppHostOptions, 'initializeMs' | 'silenceMs'>, watched: Watched) {
    this.#watched = watched;
    this.#initializeMs = options.initializeMs ?? limits.appHost.initializeMs.value;
    this.#silenceMs = options.silenceMs ?? limits.appHost.silenceMs.value;
  }

  /** The frame, or what is in it, has to begin now. */
  begin(): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#isOverdue = true;
      this.#watched.onProblem(this.#whyNot());
    }, this.#initializeMs);
  }

  /** Something was reported: the cause, if the view should have begun long ago. */
  reported(): void {
    if (this.#isOverdue && this.#watched.reports().length <= shownCauses) this.#watched.onProblem(this.#whyNot());
  }

  /** The view has begun; now it has to go on answering. */
  goOn(): void {
    this.stop();
    this.#timer = setTimeout(() => void this.#check(), this.#silenceMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isOverdue = false;
  }

  async #check(): Promise<void> {
    const timer = this.#timer;
    const isQuiet = performance.now() - this.#watched.lastHeard() >= this.#silenceMs;
    const isThere = !isQuiet || (await this.#answers());
    // It may have been stopped, or begun anew, in the meantime.
    if (timer !== this.#timer) return;
    if (isThere === this.#isSilent) {
      this.#isSilent = !isThere;
      this.#watched.onProblem(
        isThere
          ? new AppError('responsive', 'The view answers again')
          : new AppError(
              'unresponsive',
              `The view has not answered for ${this.#silenceMs / 1000} seconds: its script is busy or stuck, or knows no ping`,
            ),
      );
    }
    this.goOn();
  }

  /** Any answer will do: a page that knows no ping says so. */
  #answers(): Promise<boolean> {
    return this.#watched.ping(this.#silenceMs).then(
      () => true,
      (error: unknown) => !(error instanceof AppError),
    );
  }

  #whyNot(): AppError {
    const seconds = this.#initializeMs / 1000;
    const awaited = this.#watched.awaited();
    if (awaited === 'sandbox') {
      return new AppError(
        'sandbox',
        `The sandbox has not answered for ${seconds} seconds: is it served at sandboxUrl, and is this page one of its "hosts"?`,
      );
    }
    return new AppError(
      'initialize',
      `The view has not sent ${awaited} for ${seconds} seconds. ${causes(this.#watched.reports())}`,
    );
  }
}

/** Why a view may not begin: what was seen, or what it usually is. */
function causes(reports: readonly SandboxReport[]): string {
  const seen = reports.flatMap((report) => {
    if (report.kind === 'error') return [`a script failed: ${report.message}`];
    if (report.kind === 'policy')
      return [`its policy stopped ${report.blocked} (${report.directive}; ${report.advice})`];
    return [];
  });
  if (seen.length > 0) return `Seen so far: ${seen.slice(0, shownCauses).join('; ')}`;
  return (
    'No error was seen. Usual causes: the page never calls connect() or waits for something first; it expects a host of another kind; ' +
    'the document is not the one that was meant (compare the address of the view in the tool and in the resource)'
  );
}
