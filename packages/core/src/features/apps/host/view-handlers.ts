import { invalidParams } from '../../../jsonrpc/errors.ts';
import { isObject, type Params } from '../../../jsonrpc/message.ts';
import {
  type ContentBlock,
  type EmbeddedResource,
  isContentBlock,
  type ResourceLink,
} from '../../../protocol/content.ts';
import { isLogLevel } from '../../../protocol/logging.ts';
import { deniedError, notOfferedError } from './app-error.ts';
import type { AutoResizer } from './auto-resizer.ts';
import { isDisplayMode, type ViewCapabilities } from './capabilities.ts';
import type { QuestionLimiter } from './message-rate-limiter.ts';
import type { AppHostOptions, AppRequests, DisplayMode, HostContext, ModelContext } from './options.ts';
import type { ServerProxy } from './server-proxy.ts';

/** The context of a view's requests. */
export interface ViewRequestContext {
  readonly options: AppHostOptions;
  readonly server: ServerProxy;
  readonly questions: QuestionLimiter;
  readonly context: Readonly<HostContext>;
  readonly view: ViewCapabilities;
  storeContext(context: ModelContext): void;
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

function updateModelContext({ options, storeContext }: ViewRequestContext, params: Params): object {
  if (options.modelContext === undefined) throw notOfferedError('ui/update-model-context');
  const context = parseModelContext(params);
  storeContext(context);
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
  reject(reason: string): void;
}

/** Handles notifications of an initialized view. Unknown ones are ignored, since views may be newer than hosts. */
export function handleViewNotification(
  method: string,
  params: Params,
  { options, size, close, reject }: ViewNotificationContext,
): void {
  switch (method) {
    case 'ui/notifications/size-changed': {
      const { width, height } = params;
      if (!isPixels(width) || !isPixels(height)) return reject('"width" and "height" must be numbers of pixels');
      return size.request({ ...(width !== undefined && { width }), ...(height !== undefined && { height }) });
    }
    case 'ui/notifications/request-teardown':
      return options.closing === undefined ? close() : options.closing();
    case 'notifications/message': {
      const { level, data, logger } = params;
      if (!isLogLevel(level)) return reject('"level" must be a level of logs');
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

/** The maximum length of a file name in a download, in characters. */
const maxFileName = 120;

/** The maximum files in a download. */
const maxFiles = 20;

/** The maximum length of a link to open, in characters. */
const maxLink = 8192;

// Path separators, characters that some file systems reject, and invisible ones.
const unsafe = /[/\\:*?"<>|\p{C}\p{Zl}\p{Zp}]+/gu;
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A safe name for a downloaded file: the last part of its name, without path traversal. */
export function safeFileName(content: EmbeddedResource | ResourceLink): string {
  const given = content.type === 'resource_link' ? content.name : lastPart(content.resource.uri);
  const cleaned = given
    .replaceAll(unsafe, '_')
    .replace(/^[.\s_-]+/, '')
    .slice(0, maxFileName)
    .replace(/[.\s]+$/, '')
    .replace(reserved, '_$&');
  return cleaned === '' ? 'download' : cleaned;
}

function lastPart(uri: string): string {
  const path = uri.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  const last = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** `ui/open-link`: opens a web address if the person agrees. */
async function openLink({ openLink: open }: AppRequests, { url }: Params): Promise<object> {
  if (open === undefined) throw notOfferedError('ui/open-link');
  if (typeof url !== 'string' || !URL.canParse(url)) throw invalidParams('"url" must be an address');
  const parsed = new URL(url);
  if (url.length > maxLink) throw deniedError(`Links are at most ${maxLink} characters long`);
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')
    throw deniedError('Links must begin with https: or http:');
  return toResult(await open(parsed));
}

/** `ui/download-file`: downloads files if the person agrees. */
async function downloadFile({ download }: AppRequests, { contents }: Params): Promise<object> {
  if (download === undefined) throw notOfferedError('ui/download-file');
  if (!Array.isArray(contents) || contents.length === 0 || !contents.every(isFile)) {
    throw invalidParams('"contents" must be a list of embedded resources and links to resources');
  }
  if (contents.length > maxFiles) throw deniedError(`At most ${maxFiles} files are taken at a time`);
  return toResult(await download(contents.map((content) => ({ name: safeFileName(content), content }))));
}

function isFile(value: unknown): value is EmbeddedResource | ResourceLink {
  if (!isObject(value)) return false;
  if (value.type === 'resource_link') return typeof value.uri === 'string' && typeof value.name === 'string';
  const { resource } = value;
  if (value.type !== 'resource' || !isObject(resource) || typeof resource.uri !== 'string') return false;
  return typeof resource.text === 'string' || typeof resource.blob === 'string';
}

/** `ui/message`: adds a user message. The specification has one block, its package a list. */
async function sendMessage({ message }: AppRequests, { role, content }: Params): Promise<object> {
  if (message === undefined) throw notOfferedError('ui/message');
  if (role !== 'user') throw invalidParams('"role" must be "user"');
  const blocks = parseBlocks(Array.isArray(content) ? content : [content]);
  if (blocks.length === 0) throw invalidParams('"content" must not be empty');
  return toResult(await message(blocks));
}

/** `ui/update-model-context`: parses what the model is to know. */
function parseModelContext({ content, structuredContent }: Params): ModelContext {
  if (content !== undefined && !Array.isArray(content)) throw invalidParams('"content" must be a list of blocks');
  if (structuredContent !== undefined && !isObject(structuredContent)) {
    throw invalidParams('"structuredContent" must be an object');
  }
  return {
    ...(content !== undefined && { content: parseBlocks(content) }),
    ...(structuredContent !== undefined && { structuredContent }),
  };
}

function parseBlocks(content: readonly unknown[]): ContentBlock[] {
  if (content.every(isContentBlock)) return [...content];
  throw invalidParams('"content" must be blocks of text, images, sounds, resources or links to resources');
}

/** `sampling/createMessage`: the host's model generates something if the person agrees. */
async function sample(requests: AppRequests, params: Params, signal: AbortSignal): Promise<object> {
  if (requests.sample === undefined) throw notOfferedError('sampling/createMessage');
  if (!Array.isArray(params.messages)) throw invalidParams('"messages" must be a list');
  if ((params.tools !== undefined || params.toolChoice !== undefined) && requests.sampleTools !== true) {
    throw deniedError('This host lets its model use no tools for views');
  }
  return requests.sample(params, signal);
}

function toResult(isDone: boolean): object {
  return isDone ? {} : { isError: true };
}
