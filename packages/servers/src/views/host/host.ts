import type { HostCapabilities, HostContext, ToolResult } from './messages.ts';
import { applyTheme } from './theme.ts';
import { HostError, ToolProblem, Wire } from './wire.ts';

/** The texts of the protocol between host and view that these views know, the newest first. */
const knownVersions: readonly string[] = ['2026-01-26', '2025-11-21'];

/** What a view does with what its host tells. */
export interface ViewParts {
  readonly name: string;
  readonly version: string;
  /** The arguments of the call that the view belongs to. */
  input?(args: Record<string, unknown>): void;
  /** The result of that call. */
  result?(result: ToolResult): void;
  /** The call was cancelled, and has no result. */
  cancelled?(reason: string | undefined): void;
  /** Something about the host's page is different now: locale, time zone, mode. */
  changed?(context: HostContext): void;
  /** The view is about to be removed, as soon as this is done: hosts wait for a moment. */
  ended?(): void | Promise<void>;
}

/** The host of a view, once both know each other. */
export interface Host {
  readonly context: HostContext;
  /** Whether the view may call tools of its server. */
  readonly callsTools: boolean;
  /** Calls a tool of the view's own server. A result that is an error is thrown, in the tool's words. */
  callTool(name: string, args: object): Promise<Record<string, unknown>>;
}

/** Introduces the view to its host, and keeps its looks and size in step from then on. Throws where they don't fit. */
export async function connectHost(parts: ViewParts): Promise<Host> {
  if (parent === window) throw new HostError('This page is shown by hosts of MCP Apps, and can do nothing by itself');
  const context: HostContext = {};
  let stopTelling = (): void => {};

  function merge(news: HostContext): void {
    Object.assign(context, news);
    applyTheme(news);
    parts.changed?.(context);
  }

  const wire = new Wire({
    async serve(method) {
      if (method === 'ping') return {};
      if (method !== 'ui/resource-teardown') return undefined;
      stopTelling();
      await parts.ended?.();
      return {};
    },
    hear(method, params) {
      if (method === 'ui/notifications/tool-input') parts.input?.(asObject(params.arguments));
      else if (method === 'ui/notifications/tool-result') parts.result?.(params);
      else if (method === 'ui/notifications/tool-cancelled') parts.cancelled?.(asText(params.reason));
      else if (method === 'ui/notifications/host-context-changed') merge(params);
    },
  });

  const met = await wire.request('ui/initialize', {
    protocolVersion: knownVersions[0],
    appInfo: { name: parts.name, version: parts.version },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  });
  if (!knownVersions.includes(met.protocolVersion as string)) {
    throw new HostError(
      `The host speaks "${String(met.protocolVersion)}", and this view ${knownVersions.join(' or ')}`,
    );
  }
  const { serverTools } = asObject(met.hostCapabilities) as HostCapabilities;
  merge(asObject(met.hostContext));
  wire.notify('ui/notifications/initialized', {});
  stopTelling = observeSize((height) => wire.notify('ui/notifications/size-changed', { height }));

  return {
    context,
    callsTools: serverTools !== undefined,
    async callTool(name, args) {
      if (serverTools === undefined) throw new HostError('This host lets views call no tools');
      const result = (await wire.request('tools/call', { name, arguments: { ...args } })) as ToolResult;
      if (result.isError === true) {
        throw new ToolProblem(textOf(result) || 'The server could not do it, and did not say why');
      }
      return result.structuredContent ?? {};
    },
  };
}

/**
 * The name by which the host knows a tool of this view's server: where servers were joined, all of them have a prefix, which
 * shows in the name of the tool that the view was opened with.
 */
export function nameAtHost({ toolInfo }: HostContext, name: string, ownNames: readonly string[]): string {
  const shown = toolInfo?.tool?.name ?? '';
  const own = ownNames.find((each) => shown === each || shown.endsWith(`_${each}`) || shown.endsWith(`.${each}`));
  const prefixed = own ?? ownNames.find((each) => shown.endsWith(each));
  return prefixed === undefined ? name : shown.slice(0, shown.length - prefixed.length) + name;
}

/** The texts of a result, one below the other. */
export function textOf({ content = [] }: ToolResult): string {
  return content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n');
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Tells how high the page is, at first and whenever that changes, until it is stopped. */
function observeSize(tell: (height: number) => void): () => void {
  let told = 0;
  let frame = 0;
  const measure = (): void => {
    frame = 0;
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === told || height === 0) return;
    told = height;
    tell(height);
  };
  const observer = new ResizeObserver(() => {
    // Once for each time that the page is drawn, however much changes.
    if (frame === 0) frame = requestAnimationFrame(measure);
  });
  observer.observe(document.body);
  measure();
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}
