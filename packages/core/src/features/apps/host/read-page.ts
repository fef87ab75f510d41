import { briefJson } from '../../../jsonrpc/text.ts';
import { isObject, type Params } from '../../../jsonrpc/message.ts';
import { fromBase64 } from '../../../runtime/base64.ts';
import { viewMimeType, viewScheme } from '../ids.ts';
import { sanitizeCsp } from '../csp.ts';
import type { ResourceListing } from '../../../protocol/listing.ts';
import type { ViewPermission } from '../sandbox-settings.ts';
import { type ViewCsp, viewPermissions } from '../view-meta.ts';
import { AppError, deniedError } from './app-error.ts';

/** The maximum length of a view's document, in characters. */
const maxPage = 16_777_216;

/** The document of a view, with its declared needs. */
export interface AppPage {
  readonly uri: string;
  readonly html: string;
  /** The origins it may use. */
  readonly csp: Required<ViewCsp>;
  /** Invalid entries among the origins. */
  readonly rejected: readonly string[];
  readonly permissions: readonly ViewPermission[];
  readonly prefersBorder: boolean | undefined;
  readonly domain: string | undefined;
}

/** Where to read the document of a view. */
export interface PageSource {
  readonly server: AppServer;
  /** The resources of the server, if known already. */
  resources?(): readonly PageRow[] | Promise<readonly PageRow[]>;
}

/** The used part of a listed resource. */
export type PageRow = Pick<ResourceListing, 'uri' | '_meta'>;

/** Reads the document of a view from its server. Errors say why it can't be shown. */
export function readAppPage(server: AppServer, uri: string, signal?: AbortSignal): Promise<AppPage> {
  return readPage({ server }, uri, signal);
}

/** Reads the document of a view from a source that may know its resources. */
export async function readPage(source: PageSource, uri: string, signal?: AbortSignal): Promise<AppPage> {
  if (!uri.startsWith(viewScheme)) throw pageError(uri, `its address must begin with ${viewScheme}`);
  const { contents } = await read(source.server, uri, signal);
  const items = Array.isArray(contents) ? contents.filter(isObject) : [];
  const item = items.find((each) => each.uri === uri) ?? (items.length === 1 ? items[0] : undefined);
  if (item === undefined) throw pageError(uri, 'the server gave no document for it');
  if (item.uri !== uri) throw pageError(uri, `the server gave another one: ${briefJson(item.uri, 200)}`);
  if (!isViewType(item.mimeType)) {
    const type = typeof item.mimeType === 'string' ? `"${item.mimeType.slice(0, 100)}"` : 'missing';
    throw pageError(uri, `its mimeType must be "${viewMimeType}", and is ${type}`);
  }
  const html = decodeDocument(item);
  if (html === undefined) throw pageError(uri, 'it has neither text nor a blob of UTF-8 in base64');
  if (html.length > maxPage) throw pageError(uri, `it is longer than ${maxPage} characters`);
  const ui = uiOf(item) ?? uiOf(await findResource(source, uri, signal)) ?? {};
  const wanted = isObject(ui.permissions) ? ui.permissions : {};
  return {
    uri,
    html,
    ...sanitizeCsp(ui.csp),
    permissions: viewPermissions.filter((name) => isObject(wanted[name])),
    prefersBorder: typeof ui.prefersBorder === 'boolean' ? ui.prefersBorder : undefined,
    domain: typeof ui.domain === 'string' ? ui.domain : undefined,
  };
}

function uiOf(row: { readonly _meta?: unknown } | undefined): Record<string, unknown> | undefined {
  return isObject(row?._meta) && isObject(row._meta.ui) ? row._meta.ui : undefined;
}

/** Finds the view in the list of resources, whose metadata apply if the document has none. */
async function findResource(
  { server, resources }: PageSource,
  uri: string,
  signal?: AbortSignal,
): Promise<object | undefined> {
  try {
    const rows = resources === undefined ? await listAll(server, 'resources', signal) : await resources();
    return rows.find((row) => row.uri === uri);
  } catch {
    // A view need not be listed.
    signal?.throwIfAborted();
    return undefined;
  }
}

async function read(server: AppServer, uri: string, signal?: AbortSignal): Promise<Record<string, unknown>> {
  try {
    const result = await server.request('resources/read', { uri }, signal === undefined ? {} : { signal });
    return result as Record<string, unknown>;
  } catch (error) {
    throw pageError(uri, `resources/read failed: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

const quotedProfile = /^text\/html\s*;\s*profile\s*=\s*(?:mcp-app|"mcp-app")\s*$/i;

/** Whitespace, quotes and case are ignored; another type or profile is not accepted. */
function isViewType(given: unknown): boolean {
  return typeof given === 'string' && quotedProfile.test(given);
}

function decodeDocument({ text, blob }: Record<string, unknown>): string | undefined {
  if (typeof text === 'string') return text;
  const bytes = typeof blob === 'string' ? fromBase64(blob) : undefined;
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function pageError(uri: string, why: string, cause?: unknown): AppError {
  return new AppError('page', `The view ${uri.slice(0, 200)} can't be shown: ${why}`, { cause });
}

const maxPages = 100;

/** Reads all pages of a list. */
export async function listAll(
  server: AppServer,
  list: 'tools' | 'resources',
  signal?: AbortSignal,
): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  let params: Params = {};
  for (let page = 0; page < maxPages; page++) {
    const result = await server.request(`${list}/list`, params, signal === undefined ? {} : { signal });
    const { [list]: rows, nextCursor } = result as Record<string, unknown>;
    if (Array.isArray(rows)) all.push(...rows.filter(isObject));
    if (typeof nextCursor !== 'string') return all;
    params = { cursor: nextCursor };
  }
  throw deniedError(`The list of ${list} does not end: it has more than ${maxPages} pages`);
}

/** The server of a view, the only one it can reach. A `Client` is one. */
export interface AppServer {
  request(method: string, params?: Params, options?: { signal?: AbortSignal }): Promise<object>;
  /** If present, tools are called with it. */
  callTool?(name: string, args?: Params, options?: { signal?: AbortSignal }): Promise<object>;
}
