import type { Icon } from '../../../protocol/identity.ts';
import type { Meta } from '../../../protocol/meta.ts';
import type { CacheHints } from '../../../protocol/results.ts';
import { type Resource, resource } from '../../../server/define/define.ts';
import type { ToolView } from '../../../server/define/feature-options.ts';
import { viewMimeType, viewScheme } from '../ids.ts';
import type { ViewMeta } from '../view-meta.ts';
import { validateMeta } from './validate-document.ts';
import { type DocumentSource, createDocument, type ViewDocument } from './view-document.ts';

/** Options of `appView`: the document and its metadata. */
export type AppViewOptions = DocumentSource &
  ViewMeta & {
    /** Default: the URI. */
    name?: string;
    /** Display name. */
    title?: string;
    description?: string;
    icons?: Icon[];
    /** False: the view is not listed; hosts read it by its URI, which they know from the tool. Default: true. */
    listed?: boolean;
    /** The scopes for reading it. Default: none, whatever its tools need: the document has no data. */
    scopes?: readonly string[];
    /** False: a caller who lacks scopes learns which. Default: true, the view looks missing to such a caller. */
    secret?: boolean;
    /** Cache hints for hosts. Default: those of the server. */
    cache?: CacheHints;
    _meta?: Meta;
  };

/** A page that hosts show with tool results: pass it as `ui` of the tools. */
export interface AppView extends ToolView {
  readonly uri: string;
}

/** A view as the extension sees it. */
export interface KnownView {
  readonly resource: Resource;
  /** Equal for views that hosts would show alike. */
  readonly identity: readonly unknown[];
}

const known = new WeakMap<ToolView, KnownView>();
const ofResource = new WeakMap<Resource, KnownView>();

const optionNames = new Set(
  'html file csp permissions domain prefersBorder name title description icons listed scopes secret cache _meta'.split(
    ' ',
  ),
);

/**
 * Creates a view: one HTML document that hosts show in a sandbox. It is validated at once, so that a mistake throws
 * when the server is created instead of showing a blank frame.
 */
export function appView(uri: string, options: AppViewOptions): AppView {
  const title = `The view ${JSON.stringify(uri)}`;
  if (
    typeof uri !== 'string' ||
    !uri.startsWith(viewScheme) ||
    !URL.canParse(uri) ||
    uri.length === viewScheme.length
  ) {
    throw new TypeError(`${title} needs an address that begins with ui://, such as appView("ui://moon/view.html", …)`);
  }
  const stray = Object.keys(options ?? {}).find((name) => !optionNames.has(name));
  if (options === undefined || stray !== undefined) {
    const problem = stray === undefined ? 'has no options' : `has an option "${stray}", which means nothing`;
    throw new TypeError(`${title} ${problem}: there are ${[...optionNames].join(', ')}`);
  }
  if (options._meta?.ui !== undefined) {
    throw new TypeError(`${title} has "ui" in its _meta: write csp, permissions, domain and prefersBorder beside it`);
  }
  validateMeta(title, options);
  const { csp, permissions, domain, prefersBorder, html: _, file: __, _meta, ...said } = options;
  // Asking for more scopes is left to the tool, which says what is missing.
  const about = said.scopes === undefined ? said : { secret: true, ...said };
  const ui = omitUndefined({ csp, permissions, domain, prefersBorder });
  const meta = Object.keys(ui).length === 0 ? _meta : { ..._meta, ui };
  const document = createDocument(options, { title, csp });
  const view: AppView = Object.freeze({ uri });
  const made: KnownView = {
    resource: resourceOf(uri, { about: { ...about, ...(meta && { _meta: meta }) }, document, title }),
    identity: [document.identity, JSON.stringify([about, meta])],
  };
  known.set(view, made);
  ofResource.set(made.resource, made);
  return view;
}

/** The internals of a view that `appView` created. */
export function knownView(view: ToolView): KnownView | undefined {
  return known.get(view);
}

/** The view of a resource, if it is one. */
export function viewOfResource(one: Resource): KnownView | undefined {
  return ofResource.get(one);
}

interface Served {
  readonly about: Parameters<typeof resource>[1];
  readonly document: ViewDocument;
  readonly title: string;
}

function resourceOf(uri: string, { about, document, title }: Served): Resource {
  return resource(uri, { ...about, mimeType: viewMimeType }, (_, { log }) => {
    const contents = (text: string): object => ({
      uri,
      mimeType: viewMimeType,
      text,
      ...(about._meta && { _meta: about._meta }),
    });
    const text = document.read((error) => {
      log('error', `${title} was changed and is wrong; the former is served. ${(error as Error).message}`);
    });
    return typeof text === 'string' ? contents(text) : text.then(contents);
  });
}

/** Drops undefined members. */
function omitUndefined(members: object): ViewMeta {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
