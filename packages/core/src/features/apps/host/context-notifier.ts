import type { Params } from '../../../jsonrpc/message.ts';
import type { ViewSize } from './auto-resizer.ts';
import type { AppHostOptions, HostContext } from './options.ts';

/** The dependencies of the context notifier. */
export interface ContextTarget {
  isReady(): boolean;
  notify(method: string, params: Params): void;
  resize(size: ViewSize): void;
}

/**
 * Notifies a view of its context. It goes with the answer to `ui/initialize`; changes until the view is ready go right
 * after its initialization, later ones at once.
 */
export class ContextNotifier {
  current: HostContext;
  /** The context that was sent with the initialization. */
  #sent: HostContext = {};
  readonly #target: ContextTarget;

  constructor({ tool, callId, context }: AppHostOptions, target: ContextTarget) {
    this.current = {
      displayMode: 'inline',
      ...(tool !== undefined && { toolInfo: { ...(callId !== undefined && { id: callId }), tool } }),
      ...context,
    };
    this.#target = target;
  }

  change(changes: HostContext): void {
    this.current = { ...this.current, ...changes };
    this.applyContainerSize();
    if (this.#target.isReady()) this.#notify(changes);
  }

  /** Applies the sides that the host has fixed. */
  applyContainerSize(): void {
    const { width, height } = this.current.containerDimensions ?? {};
    this.#target.resize({ ...(width !== undefined && { width }), ...(height !== undefined && { height }) });
  }

  /** Returns the context for the answer to `ui/initialize`. */
  onInitialize(): HostContext {
    this.#sent = this.current;
    return this.current;
  }

  /** The view is initialized. */
  onReady(): void {
    const changed = Object.entries(this.current).filter(([name, value]) => this.#sent[name] !== value);
    if (changed.length > 0) this.#notify(Object.fromEntries(changed));
  }

  #notify(changes: HostContext): void {
    this.#target.notify('ui/notifications/host-context-changed', changes);
  }
}
