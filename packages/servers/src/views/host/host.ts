import { applyTheme, type HostContext } from './host-context.ts';

/** The supported versions of the protocol between host and view, the newest first. */
const knownVersions: readonly string[] = ['2026-01-26', '2025-11-21'];

/** The capabilities of the host. */
interface HostCapabilities {
  serverTools?: object;
}

/** The result of a tool. */
export interface ToolResult {
  content?: readonly { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** The handlers of a view for messages of its host. */
export interface ViewHandlers {
  readonly name: string;
  readonly version: string;
  /** The arguments of the call that the view belongs to. */
  input?(args: Record<string, unknown>): void;
  /** The result of that call. */
  result?(result: ToolResult): void;
  /** The call was cancelled, and has no result. */
  cancelled?(reason: string | undefined): void;
  /** The host's locale, time zone, theme or mode changed. */
  changed?(context: HostContext): void;
  /** The view is about to be removed; hosts wait for this, for a moment. */
  ended?(): void | Promise<void>;
}

/** The connected host of a view. */
export interface Host {
  readonly context: HostContext;
  /** Whether the view may call tools of its server. */
  readonly callsTools: boolean;
  /** Calls a tool of the view's server; throws the message of an error result. */
  callTool(name: string, args: object): Promise<Record<string, unknown>>;
}

/** Connects to the host, then applies its theme and reports the size. Throws if no protocol version fits. */
export async function connectHost(parts: ViewHandlers): Promise<Host> {
  if (parent === window) throw new HostError('This page is shown by hosts of MCP Apps, and can do nothing by itself');
  const context: HostContext = {};
  let stopObserving = (): void => {};

  function mergeContext(changes: HostContext): void {
    Object.assign(context, changes);
    applyTheme(changes);
    parts.changed?.(context);
  }

  const wire = new Wire({
    async serve(method) {
      if (method === 'ping') return {};
      if (method !== 'ui/resource-teardown') return undefined;
      stopObserving();
      await parts.ended?.();
      return {};
    },
    onNotification(method, params) {
      if (method === 'ui/notifications/tool-input') parts.input?.(toObject(params.arguments));
      else if (method === 'ui/notifications/tool-result') parts.result?.(params);
      else if (method === 'ui/notifications/tool-cancelled') parts.cancelled?.(toText(params.reason));
      else if (method === 'ui/notifications/host-context-changed') mergeContext(params);
    },
  });

  const initialized = await wire.request('ui/initialize', {
    protocolVersion: knownVersions[0],
    appInfo: { name: parts.name, version: parts.version },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  });
  if (!knownVersions.includes(initialized.protocolVersion as string)) {
    throw new HostError(
      `The host speaks "${String(initialized.protocolVersion)}", and this view ${knownVersions.join(' or ')}`,
    );
  }
  const { serverTools } = toObject(initialized.hostCapabilities) as HostCapabilities;
  mergeContext(toObject(initialized.hostContext));
  wire.notify('ui/notifications/initialized', {});
  stopObserving = observeSize((height) => wire.notify('ui/notifications/size-changed', { height }));

  return {
    context,
    callsTools: serverTools !== undefined,
    async callTool(name, args) {
      if (serverTools === undefined) throw new HostError('This host lets views call no tools');
      const result = (await wire.request('tools/call', { name, arguments: { ...args } })) as ToolResult;
      if (result.isError === true) {
        throw new ToolFailure(textOf(result) || 'The server could not do it, and did not say why');
      }
      return result.structuredContent ?? {};
    },
  };
}

/**
 * The name of a tool of this view's server at the host. A gateway adds a prefix to all names, which the name of the tool
 * that opened the view shows.
 */
export function toolNameAtHost({ toolInfo }: HostContext, name: string, ownNames: readonly string[]): string {
  const shown = toolInfo?.tool?.name ?? '';
  const own = ownNames.find((each) => shown === each || shown.endsWith(`_${each}`) || shown.endsWith(`.${each}`));
  const prefixed = own ?? ownNames.find((each) => shown.endsWith(each));
  return prefixed === undefined ? name : shown.slice(0, shown.length - prefixed.length) + name;
}

/** The texts of a result, one per line. */
export function textOf({ content = [] }: ToolResult): string {
  return content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n');
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Reports the height of the page, now and on each change, until it is stopped. */
function observeSize(report: (height: number) => void): () => void {
  let reported = 0;
  let frame = 0;
  const measure = (): void => {
    frame = 0;
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === reported || height === 0) return;
    reported = height;
    report(height);
  };
  const observer = new ResizeObserver(() => {
    // At most once per frame.
    if (frame === 0) frame = requestAnimationFrame(measure);
  });
  observer.observe(document.body);
  measure();
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}

/** A request that the host rejected or did not answer. */
class HostError extends Error {
  override name = 'HostError';

  constructor(
    message: string,
    readonly code?: number,
  ) {
    super(message);
  }
}

/** An error result of a tool, with its message. */
export class ToolFailure extends HostError {
  override name = 'ToolFailure';
}

/** Handles requests and notifications of the host. */
export interface WireHandler {
  /** Returns the result of a request; undefined for an unknown method. */
  serve(method: string, params: Record<string, unknown>): Promise<object | undefined> | object | undefined;
  onNotification(method: string, params: Record<string, unknown>): void;
}

const timeoutMs = 60_000;

/** A JSON-RPC connection to the parent window. */
class Wire {
  readonly #pending = new Map<string | number, (message: Message) => void>();
  readonly #handler: WireHandler;
  #last = 0;

  constructor(handler: WireHandler) {
    this.#handler = handler;
    addEventListener('message', ({ source, data }) => {
      if (source === parent && source !== window && isMessage(data)) this.#receive(data);
    });
  }

  /** Sends a request and returns its result. Throws a `HostError`. */
  request(method: string, params: object): Promise<Record<string, unknown>> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        reject(new HostError(`The host did not answer within ${timeoutMs / 1000} seconds`));
      }, timeoutMs);
      this.#pending.set(id, ({ result, error }) => {
        clearTimeout(timer);
        if (result !== undefined) resolve(result);
        else reject(new HostError(error?.message ?? 'The host sent an answer that is none', error?.code));
      });
      this.#post({ jsonrpc: '2.0', id, method, params: { ...params } });
    });
  }

  notify(method: string, params: object): void {
    this.#post({ jsonrpc: '2.0', method, params: { ...params } });
  }

  #receive(message: Message): void {
    const { id, method, params = {} } = message;
    if (method === undefined) {
      const complete = id === undefined ? undefined : this.#pending.get(id);
      if (id !== undefined) this.#pending.delete(id);
      complete?.(message);
    } else if (id === undefined) this.#handler.onNotification(method, params);
    else void this.#answer(id, method, params);
  }

  async #answer(id: string | number, method: string, params: Record<string, unknown>): Promise<void> {
    try {
      const result = await this.#handler.serve(method, params);
      if (result === undefined) {
        this.#post({ jsonrpc: '2.0', id, error: { code: -32601, message: `This view has no method "${method}"` } });
      } else this.#post({ jsonrpc: '2.0', id, result: { ...result } });
    } catch (error) {
      this.#post({ jsonrpc: '2.0', id, error: { code: -32603, message: (error as Error).message } });
    }
  }

  /** To any origin: a view does not know that of its host, and sends no secrets. */
  #post(message: Message): void {
    parent.postMessage(message, '*');
  }
}

/** A JSON-RPC message. */
interface Message {
  jsonrpc: '2.0';
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** True for JSON-RPC; other messages of the window are ignored. */
function isMessage(data: unknown): data is Message {
  return typeof data === 'object' && data !== null && (data as Message).jsonrpc === '2.0';
}
