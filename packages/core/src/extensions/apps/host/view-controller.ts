import { pageLimits as limits } from '../../../page-limits.ts';
import { isObject, type Params } from '../../../jsonrpc/message.ts';
import { type Implementation, ownIdentity } from '../../../protocol/identity.ts';
import type { ToolListing } from '../../../protocol/listing.ts';
import { toolUiOf } from '../view-meta.ts';
import { AppError, asAppError } from './app-error.ts';
import type { HostedView, HostedViewState } from './hosted-view.ts';
import { hostCapabilities, parseViewCapabilities, type ViewCapabilities, parseViewInfo } from './capabilities.ts';
import { ToolNotifier } from './tool-notifier.ts';
import { AutoResizer } from './auto-resizer.ts';
import type { AppHostOptions, DisplayMode, HostContext, ModelContext } from './options.ts';
import { QuestionLimiter } from './question-limiter.ts';
import { type AppPage, readPage } from './read-page.ts';
import { deniedError } from './app-error.ts';
import type { SandboxReport } from './sandbox-report.ts';
import { ServerProxy } from './server-proxy.ts';
import { negotiateVersion } from './capabilities.ts';
import { ViewChannel } from './view-channel.ts';
import { handleViewNotification } from './view-handlers.ts';
import { ViewSandbox } from './view-sandbox.ts';
import { handleViewRequest } from './view-handlers.ts';
import { type AwaitedStep, ViewWatchdog } from './view-watchdog.ts';

/** One view with everything that belongs to it, from reading its document to its end. */
export class ViewController implements HostedView {
  readonly #options: AppHostOptions;
  readonly #channel: ViewChannel;
  readonly #toolNotifier: ToolNotifier;
  readonly #serverProxy: ServerProxy;
  readonly #questionLimiter = new QuestionLimiter();
  readonly #resizer: AutoResizer;
  readonly #watchdog: ViewWatchdog;
  readonly #readAbort = new AbortController();
  readonly #readyPromise = createDeferred();
  readonly #closedPromise = createDeferred();
  /** Resolves when the view is initialized: earlier requests wait for it. */
  #listening = createDeferred();
  #sandbox: ViewSandbox | undefined;
  #view: ViewCapabilities | undefined;
  /** The context that was sent with the initialization. */
  #sentContext: HostContext = {};
  #closing: Promise<void> | undefined;
  #initializations = 0;
  state: HostedViewState = 'loading';
  page: AppPage | undefined;
  appInfo: Implementation | undefined;
  protocolVersion: string | undefined;
  context: HostContext;
  modelContext: ModelContext | undefined;

  constructor(options: AppHostOptions) {
    this.#options = options;
    const { tool, callId, context = {} } = options;
    this.context = {
      displayMode: 'inline',
      ...(tool !== undefined && { toolInfo: { ...(callId !== undefined && { id: callId }), tool } }),
      ...context,
    };
    this.#serverProxy = new ServerProxy(options);
    this.#channel = new ViewChannel({
      post: (message) => this.#sandbox?.post(message),
      onRequest: (method, params, signal) => this.#onRequest(method, params, signal),
      onNotification: (method, params) => this.#onNotification(method, params),
      onMessage: options.onMessage,
      onProblem: (error) => this.#reportProblem(error),
      onFlood: () => this.#fail(new AppError('flood', 'The view was ended: it sent too many messages for too long')),
      messagesPerSecond: options.messagesPerSecond,
    });
    this.#toolNotifier = new ToolNotifier((method, params) => this.#channel.notify(method, params));
    this.#resizer = new AutoResizer({
      apply: (size) => {
        this.#sandbox?.resize(size);
        options.onSize?.(size);
      },
      onIgnored: (reason) => this.#reportProblem(new AppError('size', `${reason}: it keeps its size`)),
      containerSize: () => this.context.containerDimensions ?? {},
    });
    this.#watchdog = new ViewWatchdog(options, {
      awaitedStep: () => this.#awaitedStep(),
      reports: () => this.reports,
      lastReceivedAt: () => this.#channel.lastReceivedAt,
      ping: (timeoutMs) => this.#channel.request('ping', {}, timeoutMs),
      onProblem: (error) => this.#reportProblem(error),
    });
    this.#open().catch((error: unknown) => this.#fail(asAppError(error)));
  }

  get ready(): Promise<void> {
    return this.#readyPromise.promise;
  }

  get closed(): Promise<void> {
    return this.#closedPromise.promise;
  }

  get reports(): readonly SandboxReport[] {
    return this.#sandbox?.reports ?? [];
  }

  toolInputPartial(args: Params): void {
    this.#toolNotifier.partial(args);
  }

  toolInput(args: Params): void {
    this.#toolNotifier.input(args);
  }

  toolResult(result: object): void {
    this.#toolNotifier.result(result as Params);
  }

  toolCancelled(reason?: string): void {
    this.#toolNotifier.cancelled(reason);
  }

  changeContext(changes: HostContext): void {
    this.context = { ...this.context, ...changes };
    this.#applyContainerSize();
    // Earlier changes go with the answer to ui/initialize, or right after initialization.
    if (this.state === 'ready') this.#channel.notify('ui/notifications/host-context-changed', changes);
  }

  setDisplayMode(mode: DisplayMode): void {
    const modes = this.#view?.displayModes;
    if (modes?.includes(mode) === false) throw new TypeError(`The view can be displayed as ${modes.join(', ')} only`);
    this.changeContext({ displayMode: mode });
  }

  listChanged(list: 'tools' | 'resources' | 'prompts'): void {
    if (list === 'tools') this.#serverProxy.invalidateTools();
    if (this.state === 'ready') this.#channel.notify(`notifications/${list}/list_changed`, {});
  }

  async listTools(): Promise<ToolListing[]> {
    const { tools } = await this.#requestTools('tools/list', {});
    return Array.isArray(tools) ? tools.filter(isTool) : [];
  }

  callTool(name: string, args: Params = {}): Promise<Record<string, unknown>> {
    return this.#requestTools('tools/call', { name, arguments: args });
  }

  async ping(): Promise<void> {
    await this.ready;
    await this.#channel.request('ping', {}, limits.appHost.silenceMs.value);
  }

  send(message: unknown): void {
    this.#channel.sendRaw(message);
  }

  receive(message: unknown): void {
    if (this.state !== 'closed') this.#channel.receive(message);
  }

  close(reason?: string): Promise<void> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  kill(): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    const reason = new AppError('closed', 'The view is closed');
    this.#readAbort.abort(reason);
    this.#watchdog.stop();
    this.#resizer.stop();
    this.#sandbox?.remove();
    this.#channel.end(reason);
    this.#readyPromise.reject(reason);
    this.#closedPromise.resolve();
    this.#options.onClosed?.();
  }

  async #close(reason: string | undefined): Promise<void> {
    if (this.state === 'ready') {
      const timeoutMs = this.#options.teardownMs ?? limits.appHost.teardownMs.value;
      const asked = this.#channel.request('ui/resource-teardown', reason === undefined ? {} : { reason }, timeoutMs);
      // A view that does not answer, or objects, is removed anyway.
      await asked.catch(() => {});
    }
    this.kill();
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
    this.#sandbox = new ViewSandbox(this.#options, page, {
      filled: () => this.#watchdog.waitForStart(),
      message: (message) => this.#channel.receive(message),
      left: () => this.#fail(new AppError('left', 'The view was ended: its frame navigated to another page')),
      grabbed: () =>
        this.#fail(new AppError('focus', 'The view was ended: it took the focus from the page again and again')),
      reported: (report) => {
        this.#options.onReport?.(report);
        this.#watchdog.onReport();
      },
    });
    this.#applyContainerSize();
  }

  /** Applies the sides that the host has fixed. */
  #applyContainerSize(): void {
    const { width, height } = this.context.containerDimensions ?? {};
    this.#sandbox?.resize({ ...(width !== undefined && { width }), ...(height !== undefined && { height }) });
  }

  #awaitedStep(): AwaitedStep {
    if (this.#sandbox?.isFilled !== true) return 'sandbox';
    return this.#view === undefined ? 'ui/initialize' : 'ui/notifications/initialized';
  }

  async #onRequest(method: string, params: Params, signal: AbortSignal): Promise<object> {
    if (method === 'ui/initialize') return this.#initialize(params);
    if (this.#view === undefined) throw deniedError('A view must send ui/initialize first');
    await this.#listening.promise;
    const asked = {
      options: this.#options,
      server: this.#serverProxy,
      questions: this.#questionLimiter,
      context: this.context,
      view: this.#view,
      keep: (context: ModelContext) => {
        this.modelContext = context;
      },
      display: (mode: DisplayMode) => this.changeContext({ displayMode: mode }),
    };
    return handleViewRequest(method, asked, params, signal);
  }

  /** A view may initialize more than once: when it reloads. */
  #initialize({ protocolVersion, appInfo, appCapabilities }: Params): object {
    this.#initializations += 1;
    // Each initialization sends the whole call again, which may be large.
    if (this.#initializations > limits.appHost.loads.value) throw deniedError('The view was initialized too often');
    if (this.state === 'ready') {
      this.state = 'starting';
      this.#listening = createDeferred();
      this.#toolNotifier.restart();
    }
    this.#watchdog.waitForStart();
    this.appInfo = parseViewInfo(appInfo);
    this.#view = parseViewCapabilities(appCapabilities);
    this.protocolVersion = negotiateVersion(protocolVersion);
    this.#sentContext = this.context;
    return {
      protocolVersion: this.protocolVersion,
      hostInfo: this.#options.hostInfo ?? ownIdentity,
      hostCapabilities: hostCapabilities(this.#options, (this.#sandbox as ViewSandbox).granted),
      hostContext: this.context,
    };
  }

  #onNotification(method: string, params: Params): void {
    if (method === 'ui/notifications/initialized') return this.#onInitialized();
    handleViewNotification(method, params, {
      options: this.#options,
      size: this.#resizer,
      close: () => void this.close('The view asked for it'),
      refuse: (reason) => this.#reportProblem(new AppError('message', reason)),
    });
  }

  #onInitialized(): void {
    if (this.#view === undefined || this.state !== 'starting') return;
    this.state = 'ready';
    this.#watchdog.watchLiveness();
    const changed = diffContext(this.#sentContext, this.context);
    if (changed !== undefined) this.#channel.notify('ui/notifications/host-context-changed', changed);
    this.#toolNotifier.onReady();
    this.#listening.resolve();
    this.#readyPromise.resolve();
  }

  async #requestTools(method: string, params: Params): Promise<Record<string, unknown>> {
    await this.ready;
    if (this.#view?.tools !== true) throw new TypeError('The view offers no tools');
    return this.#channel.request(method, params, limits.appHost.answerMs.value);
  }

  #reportProblem(error: AppError): void {
    this.#options.onProblem?.(error);
  }

  #fail(error: AppError): void {
    if (this.state === 'closed') return;
    this.#readyPromise.reject(error);
    try {
      this.#reportProblem(error);
    } finally {
      this.kill();
    }
  }
}

function isTool(value: unknown): value is ToolListing {
  return isObject(value) && typeof value.name === 'string' && isObject(value.inputSchema);
}

/** The changed members of a context; undefined if there are none. */
function diffContext(before: HostContext, now: HostContext): HostContext | undefined {
  const changed = Object.entries(now).filter(([name, value]) => before[name] !== value);
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** A promise settled from outside. Nobody has to await it. */
interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: Error): void;
}

/** Creates a promise that is settled from outside. */
function createDeferred(): Deferred {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
