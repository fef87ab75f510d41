import type { Icon } from '../../../protocol/identity.ts';
import type { Meta } from '../../../protocol/meta.ts';
import type { CacheHints } from '../../../protocol/results.ts';
import { type Resource, resource, type ToolView } from '../../../server/define.ts';
import { viewMimeType, viewScheme } from '../ids.ts';
import type { ViewMeta } from '../view-meta.ts';
import { validateMeta } from './validate-meta.ts';
import { type DocumentSource, createDocument, type ViewDocument } from './view-document.ts';

/** What `appView` takes beside the address: the document, and what hosts are told of it. */
export type AppViewOptions = DocumentSource &
  ViewMeta & {
    /** Default: the address. */
    name?: string;
    /** Shown to people instead of the name. */
    title?: string;
    description?: string;
    icons?: Icon[];
    /** False: hosts read it by its address, which they know from the tool, and it is in no list. Default: true. */
    listed?: boolean;
    /** What a caller must have been granted to read it. Default: nothing, whatever its tools need: the document has no data. */
    scopes?: readonly string[];
    /** False: a caller who lacks its scopes is told what is missing. Default: true, to such a caller it is not there. */
    secret?: boolean;
    /** How long hosts may keep it; the server's own hints where this is not given. */
    cache?: CacheHints;
    _meta?: Meta;
  };

/** A page that hosts show with the results of tools: give it to `ui` of each of them. */
export interface AppView extends ToolView {
  readonly uri: string;
}

/** What is known of a view, for the extension that offers it. */
export interface KnownView {
  readonly resource: Resource;
  /** The same for two views that hosts would show alike. */
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
 * Makes a view: one HTML document that hosts show in a sandbox. Everything is checked at once, so that a mistake is heard of when
 * the server is made and not from a blank frame.
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
  // The way to more scopes is a tool's, which says what is missing.
  const about = said.scopes === undefined ? said : { secret: true, ...said };
  const ui = defined({ csp, permissions, domain, prefersBorder });
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

/** What is known of a view that `appView` made. */
export function knownView(view: ToolView): KnownView | undefined {
  return known.get(view);
}

/** The view that a resource is; undefined for any other. */
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

/** Without what was not said. */
function defined(members: object): ViewMeta {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
