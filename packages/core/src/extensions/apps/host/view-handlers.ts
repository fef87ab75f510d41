import { invalidParams } from '../../../jsonrpc/errors.ts';
import type { Params } from '../../../jsonrpc/message.ts';
import { isDisplayMode, type ViewCapabilities } from './capabilities.ts';
import type { AppHostOptions, DisplayMode, HostContext, ModelContext } from './options.ts';
import { notOfferedError } from './app-error.ts';
import { downloadFile, parseModelContext, openLink, sample, sendMessage } from './user-requests.ts';
import type { QuestionLimiter } from './question-limiter.ts';
import type { ServerProxy } from './server-proxy.ts';
import { isLogLevel } from '../../../protocol/logging.ts';
import type { AutoResizer } from './auto-resizer.ts';

/** The context of a view's requests. */
export interface ViewRequestContext {
  readonly options: AppHostOptions;
  readonly server: ServerProxy;
  readonly questions: QuestionLimiter;
  readonly context: Readonly<HostContext>;
  readonly view: ViewCapabilities;
  keep(context: ModelContext): void;
  display(mode: DisplayMode): void;
}

type RequestHandler = (context: ViewRequestContext, params: Params, signal: AbortSignal) => object | Promise<object>;

const requestHandlers: ReadonlyMap<string, RequestHandler> = new Map<string, RequestHandler>([
  ['ping', () => ({})],
  ['ui/open-link', ({ options, questions }, params) => questions.run(() => openLink(options, params))],
  ['ui/download-file', ({ options, questions }, params) => questions.run(() => downloadFile(options, params))],
  ['ui/message', ({ options, questions }, params) => questions.run(() => sendMessage(options, params))],
  ['ui/update-model-context', updateModelContext],
  ['ui/request-display-mode', requestDisplayMode],
  ['sampling/createMessage', ({ options }, params, signal) => sample(options, params, signal)],
  ['tools/call', ({ server }, params, signal) => server.callTool(params, signal)],
  ['tools/list', ({ server }, params, signal) => server.listTools(params, signal)],
  ['resources/read', ({ server }, params, signal) => server.readResource(params, signal)],
  ...['resources/list', 'resources/templates/list', 'prompts/list'].map((method): [string, RequestHandler] => [
    method,
    ({ server }, params, signal) => server.list(method, params, signal),
  ]),
]);

/** Handles a request of an initialized view. */
export async function handleViewRequest(
  method: string,
  context: ViewRequestContext,
  params: Params,
  signal: AbortSignal,
): Promise<object> {
  const serve = requestHandlers.get(method);
  if (serve === undefined) throw notOfferedError(method);
  return serve(context, params, signal);
}

function updateModelContext({ options, keep }: ViewRequestContext, params: Params): object {
  if (options.modelContext === undefined) throw notOfferedError('ui/update-model-context');
  const context = parseModelContext(params);
  keep(context);
  options.modelContext(context);
  return {};
}

/** Answers with the resulting mode, whether or not it is the requested one. */
async function requestDisplayMode(
  { options, context, view, display }: ViewRequestContext,
  { mode }: Params,
): Promise<object> {
  if (!isDisplayMode(mode)) throw invalidParams('"mode" must be "inline", "fullscreen" or "pip"');
  const current = context.displayMode ?? 'inline';
  const isOffered =
    context.availableDisplayModes?.includes(mode) === true && (view.displayModes?.includes(mode) ?? true);
  if (options.displayMode === undefined || !isOffered || mode === current) return { mode: current };
  const reached = await options.displayMode(mode);
  display(reached);
  return { mode: reached };
}

/** The context of a view's notifications. */
interface ViewNotificationContext {
  readonly options: AppHostOptions;
  readonly size: AutoResizer;
  close(): void;
  refuse(reason: string): void;
}

/** Handles notifications of an initialized view. Unknown ones are ignored, since views may be newer than hosts. */
export function handleViewNotification(
  method: string,
  params: Params,
  { options, size, close, refuse }: ViewNotificationContext,
): void {
  switch (method) {
    case 'ui/notifications/size-changed': {
      const { width, height } = params;
      if (!isPixels(width) || !isPixels(height)) return refuse('"width" and "height" must be numbers of pixels');
      return size.request({ ...(width !== undefined && { width }), ...(height !== undefined && { height }) });
    }
    case 'ui/notifications/request-teardown':
      return options.closing === undefined ? close() : options.closing();
    case 'notifications/message': {
      const { level, data, logger } = params;
      if (!isLogLevel(level)) return refuse('"level" must be a level of logs');
      return options.onLog?.({ level, data, ...(typeof logger === 'string' && { logger }) });
    }
    case 'notifications/tools/list_changed':
      return options.onToolsChanged?.();
    default:
  }
}

function isPixels(value: unknown): value is number | undefined {
  return value === undefined || typeof value === 'number';
}
