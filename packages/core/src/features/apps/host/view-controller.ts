import { isObject, type Params } from '../../../jsonrpc/message.ts';
import { pageLimits as limits } from '../../../page-limits.ts';
import type { Implementation } from '../../../protocol/identity.ts';
import type { ToolListing } from '../../../protocol/listing.ts';
import { AppError } from './app-error.ts';
import { AutoResizer } from './auto-resizer.ts';
import { ContextNotifier } from './context-notifier.ts';
import type { AppHostOptions, DisplayMode, HostContext, HostedView, HostedViewState, ModelContext } from './options.ts';
import type { AppPage } from './read-page.ts';
import type { SandboxReport } from './sandbox-report.ts';
import { ToolNotifier } from './tool-notifier.ts';
import { ViewChannel } from './view-channel.ts';
import { ViewHandshake } from './view-handshake.ts';
import { ViewLifecycle } from './view-lifecycle.ts';
import { QuestionLimiter } from './message-rate-limiter.ts';
import { ServerProxy } from './server-proxy.ts';
import { handleViewNotification, handleViewRequest } from './view-handlers.ts';

/** The timeout of a call to a view's tool. */
const answerMs = 30_000;

/** One view as its host uses it: connects the parts of a view, and sends it what the host has to say. */
class ViewController implements HostedView {
  readonly #channel: ViewChannel;
  readonly #toolNotifier: ToolNotifier;
  readonly #context: ContextNotifier;
  readonly #lifecycle: ViewLifecycle;
  readonly #handshake: ViewHandshake;
  readonly #messages: ViewMessages;

  constructor(options: AppHostOptions) {
    const channel = new ViewChannel({
      post: (message) => lifecycle.sandbox?.post(message),
      onRequest: (method, params, signal) => messages.onRequest(method, params, signal),
      onNotification: (method, params) => messages.onNotification(method, params),
      onMessage: options.onMessage,
      onProblem: (error) => options.onProblem?.(error),
      onFlood: () =>
        lifecycle.fail(new AppError('flood', 'The view was ended: it sent too many messages for too long')),
      messagesPerSecond: options.messagesPerSecond,
    });
    const toolNotifier = new ToolNotifier((method, params) => channel.notify(method, params));
    const resizer = new AutoResizer({
      apply: (size) => {
        lifecycle.sandbox?.resize(size);
        options.onSize?.(size);
      },
      onIgnored: (reason) => options.onProblem?.(new AppError('size', `${reason}: it keeps its size`)),
      containerSize: () => context.current.containerDimensions ?? {},
    });
    const context = new ContextNotifier(options, {
      isReady: () => lifecycle.state === 'ready',
      notify: (method, params) => channel.notify(method, params),
      resize: (size) => lifecycle.sandbox?.resize(size),
    });
    const lifecycle = new ViewLifecycle(options, {
      channel,
      resizer,
      awaitedMessage: () => (handshake.capabilities === undefined ? 'ui/initialize' : 'ui/notifications/initialized'),
      onSandbox: () => context.applyContainerSize(),
    });
    const handshake = new ViewHandshake(options, { lifecycle, context, toolNotifier });
    const messages = new ViewMessages(options, { lifecycle, handshake, context, resizer });
    this.#channel = channel;
    this.#toolNotifier = toolNotifier;
    this.#context = context;
    this.#lifecycle = lifecycle;
    this.#handshake = handshake;
    this.#messages = messages;
    lifecycle.open();
  }

  get state(): HostedViewState {
    return this.#lifecycle.state;
  }

  get ready(): Promise<void> {
    return this.#lifecycle.ready;
  }

  get closed(): Promise<void> {
    return this.#lifecycle.closed;
  }

  get page(): AppPage | undefined {
    return this.#lifecycle.page;
  }

  get reports(): readonly SandboxReport[] {
    return this.#lifecycle.reports;
  }

  get appInfo(): Implementation | undefined {
    return this.#handshake.appInfo;
  }

  get protocolVersion(): string | undefined {
    return this.#handshake.protocolVersion;
  }

  get context(): HostContext {
    return this.#context.current;
  }

  get modelContext(): ModelContext | undefined {
    return this.#messages.modelContext;
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
    this.#context.change(changes);
  }

  setDisplayMode(mode: DisplayMode): void {
    const modes = this.#handshake.capabilities?.displayModes;
    if (modes?.includes(mode) === false) throw new TypeError(`The view can be displayed as ${modes.join(', ')} only`);
    this.#context.change({ displayMode: mode });
  }

  listChanged(list: 'tools' | 'resources' | 'prompts'): void {
    if (list === 'tools') this.#messages.server.invalidateTools();
    if (this.state === 'ready') this.#channel.notify(`notifications/${list}/list_changed`, {});
  }

  async listTools(): Promise<ToolListing[]> {
    const { tools } = await this.#requestTools('tools/list', {});
    return Array.isArray(tools) ? tools.filter(isTool) : [];
  }

  callTool(name: string, args: Params = {}): Promise<Record<string, unknown>> {
    return this.#requestTools('tools/call', { name, arguments: args });
  }

  async #requestTools(method: string, params: Params): Promise<Record<string, unknown>> {
    await this.ready;
    if (this.#handshake.capabilities?.tools !== true) throw new TypeError('The view offers no tools');
    return this.#channel.request(method, params, answerMs);
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
    return this.#lifecycle.close(reason);
  }

  kill(): void {
    this.#lifecycle.kill();
  }
}

function isTool(value: unknown): value is ToolListing {
  return isObject(value) && typeof value.name === 'string' && isObject(value.inputSchema);
}

/** Shows one view: reads its document, loads it into a sandbox, and exchanges messages with it until it is closed. */
export function appHost(options: AppHostOptions): HostedView {
  for (const limit of Object.values(limits.appHost)) {
    const given = 'option' in limit ? options[limit.option] : undefined;
    if (given !== undefined && !(given > 0)) throw new TypeError(`${limit.what}: must be a number above 0`);
  }
  return new ViewController(options);
}

/** The dependencies of the message handlers of a view. */
interface ViewMessageTargets {
  readonly lifecycle: ViewLifecycle;
  readonly handshake: ViewHandshake;
  readonly context: ContextNotifier;
  readonly resizer: AutoResizer;
}

/** Handles what a view sends: its initialization, its requests to the host and the server, and its notifications. */
class ViewMessages {
  /** The last context that the view set for the model. */
  modelContext: ModelContext | undefined;
  readonly server: ServerProxy;
  readonly #options: AppHostOptions;
  readonly #targets: ViewMessageTargets;
  readonly #questionLimiter = new QuestionLimiter();

  constructor(options: AppHostOptions, targets: ViewMessageTargets) {
    this.server = new ServerProxy(options);
    this.#options = options;
    this.#targets = targets;
  }

  async onRequest(method: string, params: Params, signal: AbortSignal): Promise<object> {
    const { handshake, context } = this.#targets;
    if (method === 'ui/initialize') return handshake.initialize(params);
    const view = await handshake.waitForInitialized();
    const asked = {
      options: this.#options,
      server: this.server,
      questions: this.#questionLimiter,
      context: context.current,
      view,
      storeContext: (kept: ModelContext) => {
        this.modelContext = kept;
      },
      display: (mode: DisplayMode) => context.change({ displayMode: mode }),
    };
    return handleViewRequest(method, asked, params, signal);
  }

  onNotification(method: string, params: Params): void {
    const { handshake, lifecycle, resizer } = this.#targets;
    if (method === 'ui/notifications/initialized') return handshake.onInitialized();
    handleViewNotification(method, params, {
      options: this.#options,
      size: resizer,
      close: () => void lifecycle.close('The view asked for it'),
      reject: (reason) => this.#options.onProblem?.(new AppError('message', reason)),
    });
  }
}
