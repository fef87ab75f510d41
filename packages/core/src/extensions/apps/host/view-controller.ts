import { pageLimits as limits } from '../../../page-limits.ts';
import { isObject, type Params } from '../../../jsonrpc/message.ts';
import { type Implementation, ownIdentity } from '../../../protocol/identity.ts';
import type { ToolListing } from '../../../protocol/listing.ts';
import { toolUiOf } from '../view-meta.ts';
import { AppError, asAppError } from './app-error.ts';
import type { HostedView, HostedViewState } from './hosted-view.ts';
import { hostCapabilities, viewCapabilities, type ViewCapabilities, viewIdentity } from './capabilities.ts';
import { Delivery } from './tool-notifier.ts';
import { FollowedSize } from './auto-resizer.ts';
import type { AppHostOptions, DisplayMode, HostContext, ModelContext } from './options.ts';
import { Questions } from './question-limiter.ts';
import { type AppPage, readPage } from './read-page.ts';
import { denied } from './app-error.ts';
import type { SandboxReport } from './sandbox-report.ts';
import { RequestsToServer } from './server-proxy.ts';
import { agreedVersion } from './capabilities.ts';
import { ViewConversation } from './view-channel.ts';
import { hearView } from './view-handlers.ts';
import { ViewSandbox } from './view-sandbox.ts';
import { serveViewRequest } from './view-handlers.ts';
import { type AwaitedStep, Watch } from './view-watchdog.ts';

/** One view and everything that belongs to it, from the reading of its document to its end. */
export class ShownView implements HostedView {
  readonly #options: AppHostOptions;
  readonly #conversation: ViewConversation;
  readonly #delivery: Delivery;
  readonly #server: RequestsToServer;
  readonly #questions = new Questions();
  readonly #size: FollowedSize;
  readonly #watch: Watch;
  readonly #reading = new AbortController();
  readonly #begun = deferred();
  readonly #ended = deferred();
  /** Fulfilled when the view listens: what it asks before is answered then. */
  #listening = deferred();
  #sandbox: ViewSandbox | undefined;
  #view: ViewCapabilities | undefined;
  /** What the view was told of its place when it began. */
  #toldContext: HostContext = {};
  #isClosing: Promise<void> | undefined;
  #begins = 0;
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
    this.#server = new RequestsToServer(options);
    this.#conversation = new ViewConversation({
      post: (message) => this.#sandbox?.post(message),
      serve: (method, params, signal) => this.#serve(method, params, signal),
      hear: (method, params) => this.#hear(method, params),
      onMessage: options.onMessage,
      onProblem: (error) => this.#tell(error),
      flooded: () => this.#fail(new AppError('flood', 'The view was ended: it sent too many messages for too long')),
      messagesPerSecond: options.messagesPerSecond,
    });
    this.#delivery = new Delivery((method, params) => this.#conversation.notify(method, params));
    this.#size = new FollowedSize({
      apply: (size) => {
        this.#sandbox?.resize(size);
        options.onSize?.(size);
      },
      ignored: (reason) => this.#tell(new AppError('size', `${reason}: it keeps the size that it has`)),
      place: () => this.context.containerDimensions ?? {},
    });
    this.#watch = new Watch(options, {
      awaited: () => this.#awaited(),
      reports: () => this.reports,
      lastHeard: () => this.#conversation.lastHeard,
      ping: (timeoutMs) => this.#conversation.ask('ping', {}, timeoutMs),
      onProblem: (error) => this.#tell(error),
    });
    this.#open().catch((error: unknown) => this.#fail(asAppError(error)));
  }

  get ready(): Promise<void> {
    return this.#begun.promise;
  }

  get closed(): Promise<void> {
    return this.#ended.promise;
  }

  get reports(): readonly SandboxReport[] {
    return this.#sandbox?.reports ?? [];
  }

  toolInputPartial(args: Params): void {
    this.#delivery.partial(args);
  }

  toolInput(args: Params): void {
    this.#delivery.input(args);
  }

  toolResult(result: object): void {
    this.#delivery.result(result as Params);
  }

  toolCancelled(reason?: string): void {
    this.#delivery.cancelled(reason);
  }

  changeContext(changes: HostContext): void {
    this.context = { ...this.context, ...changes };
    this.#fit();
    // Before that, the answer to ui/initialize tells it, or what is sent when the view listens.
    if (this.state === 'ready') this.#conversation.notify('ui/notifications/host-context-changed', changes);
  }

  setDisplayMode(mode: DisplayMode): void {
    const modes = this.#view?.displayModes;
    if (modes?.includes(mode) === false) throw new TypeError(`The view can be displayed as ${modes.join(', ')} only`);
    this.changeContext({ displayMode: mode });
  }

  listChanged(list: 'tools' | 'resources' | 'prompts'): void {
    if (list === 'tools') this.#server.forgetTools();
    if (this.state === 'ready') this.#conversation.notify(`notifications/${list}/list_changed`, {});
  }

  async listTools(): Promise<ToolListing[]> {
    const { tools } = await this.#askForTools('tools/list', {});
    return Array.isArray(tools) ? tools.filter(isTool) : [];
  }

  callTool(name: string, args: Params = {}): Promise<Record<string, unknown>> {
    return this.#askForTools('tools/call', { name, arguments: args });
  }

  async ping(): Promise<void> {
    await this.ready;
    await this.#conversation.ask('ping', {}, limits.appHost.silenceMs.value);
  }

  send(message: unknown): void {
    this.#conversation.sendRaw(message);
  }

  receive(message: unknown): void {
    if (this.state !== 'closed') this.#conversation.receive(message);
  }

  close(reason?: string): Promise<void> {
    this.#isClosing ??= this.#close(reason);
    return this.#isClosing;
  }

  kill(): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    const reason = new AppError('closed', 'The view is closed');
    this.#reading.abort(reason);
    this.#watch.stop();
    this.#size.stop();
    this.#sandbox?.remove();
    this.#conversation.end(reason);
    this.#begun.reject(reason);
    this.#ended.resolve();
    this.#options.onClosed?.();
  }

  async #close(reason: string | undefined): Promise<void> {
    if (this.state === 'ready') {
      const timeoutMs = this.#options.teardownMs ?? limits.appHost.teardownMs.value;
      const asked = this.#conversation.ask('ui/resource-teardown', reason === undefined ? {} : { reason }, timeoutMs);
      // A view that doesn't answer, or has something against it, is removed all the same.
      await asked.catch(() => {});
    }
    this.kill();
  }

  async #open(): Promise<void> {
    const { tool, resourceUri = tool && toolUiOf(tool).resourceUri } = this.#options;
    if (resourceUri === undefined)
      throw new AppError('page', 'There is no view to show: the tool names none, and resourceUri is not given');
    const page = await readPage(this.#options, resourceUri, this.#reading.signal);
    this.page = page;
    if ((await this.#options.approve?.(page)) === false) throw new AppError('declined', 'The view was not approved');
    if (this.state === 'closed') return;
    this.state = 'starting';
    this.#watch.begin();
    this.#sandbox = new ViewSandbox(this.#options, page, {
      filled: () => this.#watch.begin(),
      message: (message) => this.#conversation.receive(message),
      left: () => this.#fail(new AppError('left', 'The view was ended: its frame went to another page')),
      grabbed: () =>
        this.#fail(new AppError('focus', 'The view was ended: it took the focus from the page again and again')),
      reported: (report) => {
        this.#options.onReport?.(report);
        this.#watch.reported();
      },
    });
    this.#fit();
  }

  /** A side that the host has fixed is as long as it says. */
  #fit(): void {
    const { width, height } = this.context.containerDimensions ?? {};
    this.#sandbox?.resize({ ...(width !== undefined && { width }), ...(height !== undefined && { height }) });
  }

  #awaited(): AwaitedStep {
    if (this.#sandbox?.isFilled !== true) return 'sandbox';
    return this.#view === undefined ? 'ui/initialize' : 'ui/notifications/initialized';
  }

  async #serve(method: string, params: Params, signal: AbortSignal): Promise<object> {
    if (method === 'ui/initialize') return this.#initialize(params);
    if (this.#view === undefined) throw denied('A view begins with ui/initialize');
    await this.#listening.promise;
    const asked = {
      options: this.#options,
      server: this.#server,
      questions: this.#questions,
      context: this.context,
      view: this.#view,
      keep: (context: ModelContext) => {
        this.modelContext = context;
      },
      display: (mode: DisplayMode) => this.changeContext({ displayMode: mode }),
    };
    return serveViewRequest(method, asked, params, signal);
  }

  /** A view may begin more than once: when it loads itself anew. */
  #initialize({ protocolVersion, appInfo, appCapabilities }: Params): object {
    this.#begins += 1;
    // Each time it is told all of its call again, which may be much.
    if (this.#begins > limits.appHost.loads.value) throw denied('The view began too often');
    if (this.state === 'ready') {
      this.state = 'starting';
      this.#listening = deferred();
      this.#delivery.restart();
    }
    this.#watch.begin();
    this.appInfo = viewIdentity(appInfo);
    this.#view = viewCapabilities(appCapabilities);
    this.protocolVersion = agreedVersion(protocolVersion);
    this.#toldContext = this.context;
    return {
      protocolVersion: this.protocolVersion,
      hostInfo: this.#options.hostInfo ?? ownIdentity,
      hostCapabilities: hostCapabilities(this.#options, (this.#sandbox as ViewSandbox).granted),
      hostContext: this.context,
    };
  }

  #hear(method: string, params: Params): void {
    if (method === 'ui/notifications/initialized') return this.#listen();
    hearView(method, params, {
      options: this.#options,
      size: this.#size,
      close: () => void this.close('The view asked for it'),
      refuse: (reason) => this.#tell(new AppError('message', reason)),
    });
  }

  #listen(): void {
    if (this.#view === undefined || this.state !== 'starting') return;
    this.state = 'ready';
    this.#watch.goOn();
    const changed = changedMembers(this.#toldContext, this.context);
    if (changed !== undefined) this.#conversation.notify('ui/notifications/host-context-changed', changed);
    this.#delivery.ready();
    this.#listening.resolve();
    this.#begun.resolve();
  }

  async #askForTools(method: string, params: Params): Promise<Record<string, unknown>> {
    await this.ready;
    if (this.#view?.tools !== true) throw new TypeError('The view offers no tools');
    return this.#conversation.ask(method, params, limits.appHost.answerMs.value);
  }

  #tell(error: AppError): void {
    this.#options.onProblem?.(error);
  }

  #fail(error: AppError): void {
    if (this.state === 'closed') return;
    this.#begun.reject(error);
    try {
      this.#tell(error);
    } finally {
      this.kill();
    }
  }
}

function isTool(value: unknown): value is ToolListing {
  return isObject(value) && typeof value.name === 'string' && isObject(value.inputSchema);
}

/** The members of a context that are different now; undefined where none is. */
function changedMembers(before: HostContext, now: HostContext): HostContext | undefined {
  const changed = Object.entries(now).filter(([name, value]) => before[name] !== value);
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** A promise that is settled from outside. Nobody has to wait for it. */
interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: Error): void;
}

/** Makes a promise that is settled from outside. */
function deferred(): Deferred {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
