import type { Params } from '../../../jsonrpc/message.ts';
import { pageLimits as limits } from '../../../page-limits.ts';
import { type Implementation, ownIdentity } from '../../../protocol/identity.ts';
import { deniedError } from './app-error.ts';
import {
  hostCapabilities,
  negotiateVersion,
  parseViewCapabilities,
  parseViewInfo,
  type ViewCapabilities,
} from './capabilities.ts';
import type { ContextNotifier } from './context-notifier.ts';
import { createDeferred, type ViewLifecycle } from './view-lifecycle.ts';
import type { AppHostOptions } from './options.ts';
import type { ToolNotifier } from './tool-notifier.ts';
import type { ViewSandbox } from './view-sandbox.ts';

/** The dependencies of the initialization of a view. */
export interface HandshakeParts {
  readonly lifecycle: ViewLifecycle;
  readonly context: ContextNotifier;
  readonly toolNotifier: ToolNotifier;
}

/** The initialization of a view: `ui/initialize` and `ui/notifications/initialized`, again when it is reloaded. */
export class ViewHandshake {
  appInfo: Implementation | undefined;
  protocolVersion: string | undefined;
  /** Undefined until the view sends `ui/initialize`. */
  capabilities: ViewCapabilities | undefined;
  readonly #options: AppHostOptions;
  readonly #parts: HandshakeParts;
  #count = 0;
  /** Resolves when the view is initialized: earlier requests wait for it. */
  #initialized = createDeferred();

  constructor(options: AppHostOptions, parts: HandshakeParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Answers `ui/initialize`. */
  initialize({ protocolVersion, appInfo, appCapabilities }: Params): object {
    const { lifecycle, context, toolNotifier } = this.#parts;
    this.#count += 1;
    // Each initialization sends the whole call again, which may be large.
    if (this.#count > limits.appHost.loads.value) throw deniedError('The view was initialized too often');
    if (lifecycle.state === 'ready') {
      this.#initialized = createDeferred();
      toolNotifier.restart();
    }
    lifecycle.onInitialize();
    this.appInfo = parseViewInfo(appInfo);
    this.capabilities = parseViewCapabilities(appCapabilities);
    this.protocolVersion = negotiateVersion(protocolVersion);
    return {
      protocolVersion: this.protocolVersion,
      hostInfo: this.#options.hostInfo ?? ownIdentity,
      hostCapabilities: hostCapabilities(this.#options, (lifecycle.sandbox as ViewSandbox).granted),
      hostContext: context.onInitialize(),
    };
  }

  /** Handles `ui/notifications/initialized`. */
  onInitialized(): void {
    const { lifecycle, context, toolNotifier } = this.#parts;
    if (this.capabilities === undefined || lifecycle.state !== 'starting') return;
    lifecycle.onReady();
    context.onReady();
    toolNotifier.onReady();
    this.#initialized.resolve();
  }

  /** Waits until the view is initialized. Rejects for one that has not begun. */
  async waitForInitialized(): Promise<ViewCapabilities> {
    if (this.capabilities === undefined) throw deniedError('A view must send ui/initialize first');
    await this.#initialized.promise;
    return this.capabilities;
  }
}
