import { pageLimits as limits } from '../../../page-limits.ts';
import { toolUiOf } from '../view-meta.ts';
import { AppError, asAppError } from './app-error.ts';
import type { AutoResizer } from './auto-resizer.ts';
import type { AppHostOptions, HostedViewState } from './options.ts';
import { type AppPage, readPage } from './read-page.ts';
import type { SandboxReport } from './sandbox-report.ts';
import type { ViewChannel } from './view-channel.ts';
import { ViewSandbox } from './view-sandbox.ts';
import { type AwaitedStep, ViewWatchdog } from './view-watchdog.ts';

/** The parts of a view besides its sandbox. */
export interface ViewParts {
  readonly channel: ViewChannel;
  readonly resizer: AutoResizer;
  /** The message that a view in its sandbox has to send next. */
  awaitedMessage(): AwaitedStep;
  /** Called when the sandbox is there. */
  onSandbox(): void;
}

/** One view from reading its document to its end: its sandbox, its state, and the watchdog that reports a stuck view. */
export class ViewLifecycle {
  state: HostedViewState = 'loading';
  page: AppPage | undefined;
  sandbox: ViewSandbox | undefined;
  readonly #options: AppHostOptions;
  readonly #parts: ViewParts;
  readonly #watchdog: ViewWatchdog;
  readonly #readAbort = new AbortController();
  readonly #ready = createDeferred();
  readonly #closed = createDeferred();
  #closing: Promise<void> | undefined;

  constructor(options: AppHostOptions, parts: ViewParts) {
    this.#options = options;
    this.#parts = parts;
    const { channel } = parts;
    this.#watchdog = new ViewWatchdog(options, {
      awaitedStep: () => (this.sandbox?.isFilled === true ? parts.awaitedMessage() : 'sandbox'),
      reports: () => this.reports,
      lastReceivedAt: () => channel.lastReceivedAt,
      ping: (timeoutMs) => channel.request('ping', {}, timeoutMs),
      onProblem: (error) => options.onProblem?.(error),
    });
  }

  /** Resolves when the view is initialized; rejects if it never will be. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Resolves when the view is closed. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  get reports(): readonly SandboxReport[] {
    return this.sandbox?.reports ?? [];
  }

  /** Reads the document and loads it into a sandbox. */
  open(): void {
    this.#open().catch((error: unknown) => this.fail(asAppError(error)));
  }

  async #open(): Promise<void> {
    const { tool, resourceUri = tool && toolUiOf(tool).resourceUri } = this.#options;
    if (resourceUri === undefined)
      throw new AppError('page', 'There is no view to show: the tool names none, and resourceUri is not given');
    const page = await readPage(this.#options, resourceUri, this.#readAbort.signal);
    this.page = page;
    if ((await this.#options.approve?.(page)) === false) throw new AppError('declined', 'The view was not approved');
    if (this.state === 'closed') return;
    this.state = 'starting';
    this.#watchdog.waitForStart();
    this.sandbox = new ViewSandbox(this.#options, page, {
      onLoad: () => this.#watchdog.waitForStart(),
      onMessage: (message) => this.#parts.channel.receive(message),
      onNavigation: () => this.fail(new AppError('left', 'The view was ended: its frame navigated to another page')),
      onFocusGrab: () =>
        this.fail(new AppError('focus', 'The view was ended: it took the focus from the page again and again')),
      onReport: (report) => {
        this.#options.onReport?.(report);
        this.#watchdog.onReport();
      },
    });
    this.#parts.onSandbox();
  }

  /** The view begins to initialize: for the first time, or because it was reloaded. */
  onInitialize(): void {
    if (this.state === 'ready') this.state = 'starting';
    this.#watchdog.waitForStart();
  }

  /** The view is initialized. */
  onReady(): void {
    this.state = 'ready';
    this.#watchdog.watchLiveness();
    this.#ready.resolve();
  }

  /** Asks the view to shut down, waits briefly, and removes it. */
  close(reason?: string): Promise<void> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  async #close(reason: string | undefined): Promise<void> {
    if (this.state === 'ready') {
      const timeoutMs = this.#options.teardownMs ?? limits.appHost.teardownMs.value;
      const params = reason === undefined ? {} : { reason };
      const asked = this.#parts.channel.request('ui/resource-teardown', params, timeoutMs);
      // A view that does not answer, or objects, is removed anyway.
      await asked.catch(() => {});
    }
    this.kill();
  }

  /** Removes the view without asking it to shut down. */
  kill(): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    const reason = new AppError('closed', 'The view is closed');
    this.#readAbort.abort(reason);
    this.#watchdog.stop();
    this.#parts.resizer.stop();
    this.sandbox?.remove();
    this.#parts.channel.end(reason);
    this.#ready.reject(reason);
    this.#closed.resolve();
    this.#options.onClosed?.();
  }

  /** Removes the view because of a problem, and reports it. */
  fail(error: AppError): void {
    if (this.state === 'closed') return;
    this.#ready.reject(error);
    try {
      this.#options.onProblem?.(error);
    } finally {
      this.kill();
    }
  }
}

/** A promise settled from outside. It may stay unawaited. */
interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: Error): void;
}

/** Creates a promise that is settled from outside. */
export function createDeferred(): Deferred {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
