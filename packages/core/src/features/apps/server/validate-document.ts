import { isObject } from '../../../jsonrpc/message.ts';
import { truncate } from '../../../jsonrpc/text.ts';
import { coversOrigin, isOrigin } from '../csp.ts';
import { cspLists, type ViewCsp, type ViewMeta, viewPermissions } from '../view-meta.ts';

/** The maximum length of a view's document, in bytes. */
export const maxBytes = 4 * 1024 * 1024;
const doctype = /^\uFEFF?(?:\s|<!--[\s\S]*?-->)*<!doctype\s+html\b/i;

/** Part of the document or the browser: nothing is loaded. */
const inside = /^(?:data|blob|about|javascript):|^#|^$/i;

/** Throws for a document that hosts could not show completely. `title` names the view. */
export function validateDocument(title: string, html: string, csp: ViewCsp = {}): void {
  const fail = (problem: string): never => {
    throw new TypeError(`${title} ${problem}`);
  };
  if (typeof html !== 'string') return fail(`is not a string but ${typeof html}: give a whole document`);
  if (!doctype.test(html)) fail('does not begin with <!doctype html>: a view is a whole HTML document');
  const bytes = new TextEncoder().encode(html).byteLength;
  if (bytes > maxBytes) {
    fail(`has ${bytes} bytes, and ${maxBytes} is the most: leave data to the results of tools`);
  }
  const urls = findLoadedUrls(html);
  const base = baseOf(urls);
  for (const each of urls) {
    const problem = problemOf(each, csp, base);
    if (problem !== undefined) fail(problem);
  }
}

function problemOf({ url, place, list }: LoadedUrl, csp: ViewCsp, base: string | undefined): string | undefined {
  if (inside.test(url)) return undefined;
  const from = list === 'baseUriDomains' ? undefined : base;
  const shown = JSON.stringify(truncate(url, 100));
  const address = resolveUrl(url, from);
  if (address === undefined || !/^(?:https?|wss?):$/.test(address.protocol)) {
    return `loads ${shown} (${place}), and there is nothing beside a view: put it into the document`;
  }
  if (coversOrigin(csp[list] ?? [], address)) return undefined;
  return `loads ${shown} (${place}), which hosts will block: add csp: { ${list}: ["${originOf(address)}"] }, or put it into the document`;
}

function baseOf(urls: readonly LoadedUrl[]): string | undefined {
  const base = urls.find(({ list }) => list === 'baseUriDomains')?.url;
  return base !== undefined && URL.canParse(base) ? base : undefined;
}

function resolveUrl(url: string, base: string | undefined): URL | undefined {
  // Scheme-relative: the host page is https almost everywhere.
  const given = url.startsWith('//') ? `https:${url}` : url;
  return URL.canParse(given, base) ? new URL(given, base) : undefined;
}

/** Not `URL.origin`, which is "null" for WebSockets in some runtimes. */
function originOf({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

/** A URL in a document that a browser would load or connect to. */
export interface LoadedUrl {
  readonly url: string;
  /** Where it was found, for messages. */
  readonly place: string;
  /** The origin list that must cover it. */
  readonly list: keyof ViewCsp;
}

const comment = /<!--[\s\S]*?-->/g;
const element = /<(?<name>[a-z][a-z0-9-]*)(?<attributes>(?:"[^"]*"|'[^']*'|[^"'>])*)>/gi;
const attribute = /(?<name>[^\s"'<>/=]+)\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s"'=<>`]+))/g;
const script = /(?<open><script\b(?:"[^"]*"|'[^']*'|[^"'>])*>)(?<code>[\s\S]*?)<\/script\s*>/gi;
const style = /<style\b[^>]*>(?<rules>[\s\S]*?)<\/style\s*>/gi;

const cssUrl = /\burl\(\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s"')]*))\s*\)/gi;
const cssImport = /@import\s+(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/gi;

const text = /(?:"(?<double>[^"\n]*)"|'(?<single>[^'\n]*)'|`(?<bare>[^`$\n]*)`)/.source;
const connecting = new RegExp(`\\b(?:fetch|new\\s+WebSocket|new\\s+EventSource|sendBeacon)\\(\\s*${text}`, 'g');
const importing = new RegExp(`(?:\\bimport\\s*\\(\\s*|\\bfrom\\s*|^\\s*import\\s*)${text}`, 'gm');

/** The attributes of each element that load something. */
const loading: Readonly<Record<string, Readonly<Record<string, keyof ViewCsp>>>> = {
  script: { src: 'resourceDomains' },
  link: { href: 'resourceDomains' },
  img: { src: 'resourceDomains', srcset: 'resourceDomains' },
  source: { src: 'resourceDomains', srcset: 'resourceDomains' },
  audio: { src: 'resourceDomains' },
  video: { src: 'resourceDomains', poster: 'resourceDomains' },
  track: { src: 'resourceDomains' },
  input: { src: 'resourceDomains' },
  image: { href: 'resourceDomains', 'xlink:href': 'resourceDomains' },
  use: { href: 'resourceDomains', 'xlink:href': 'resourceDomains' },
  iframe: { src: 'frameDomains' },
  base: { href: 'baseUriDomains' },
};

/** Link types that load nothing, or only when followed. */
const idleLinks = /^(?:alternate|author|canonical|help|license|next|prev|me)$/i;

/**
 * Finds what a document would load: in elements, styles, and string literals that its scripts import or connect to.
 * URLs that scripts compute are not found.
 */
function findLoadedUrls(html: string): LoadedUrl[] {
  const plain = html.replace(comment, '');
  const markup = plain.replace(script, '$<open></script>').replace(style, '');
  const found: LoadedUrl[] = [];
  for (const { groups = {} } of plain.matchAll(script)) found.push(...urlsOfScript(groups.code ?? ''));
  for (const { groups = {} } of plain.matchAll(style)) found.push(...urlsOfStyle(groups.rules ?? '', 'a style'));
  for (const { groups = {} } of markup.matchAll(element)) {
    found.push(...urlsOfElement((groups.name ?? '').toLowerCase(), attributesOf(groups.attributes ?? '')));
  }
  return found;
}

function urlsOfElement(name: string, attributes: ReadonlyMap<string, string>): LoadedUrl[] {
  const found = urlsOfStyle(attributes.get('style') ?? '', `style="…" of <${name}>`);
  if (name === 'link' && idleLinks.test(attributes.get('rel') ?? '')) return found;
  for (const [key, list] of Object.entries(loading[name] ?? {})) {
    const value = attributes.get(key);
    if (value === undefined) continue;
    const urls = key === 'srcset' ? candidatesOf(value) : [value.trim()];
    for (const url of urls) found.push({ url, place: `${key}="…" of <${name}>`, list });
  }
  return found;
}

/** The URLs in a `srcset`: each may contain commas, but not at its end. */
function candidatesOf(srcset: string): string[] {
  return Array.from(srcset.matchAll(/(?:^|,)\s*(\S*[^\s,])(?:\s[^,]*)?/g), ([, url = '']) => url);
}

function urlsOfStyle(rules: string, place: string): LoadedUrl[] {
  return [...rules.matchAll(cssUrl), ...rules.matchAll(cssImport)].map((match) => ({
    url: quotedText(match),
    place,
    list: 'resourceDomains',
  }));
}

function urlsOfScript(code: string): LoadedUrl[] {
  const connected = [...code.matchAll(connecting)].map(
    (match): LoadedUrl => ({ url: quotedText(match), place: 'a script, which connects to it', list: 'connectDomains' }),
  );
  const imported = [...code.matchAll(importing)].map(
    (match): LoadedUrl => ({ url: quotedText(match), place: 'a script, which imports it', list: 'resourceDomains' }),
  );
  // In code, only a URL with a scheme is certain.
  return [...connected, ...imported].filter(({ url }) => /^(?:https?|wss?):/i.test(url));
}

function attributesOf(written: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const match of written.matchAll(attribute)) {
    const name = (match.groups?.name ?? '').toLowerCase();
    if (!attributes.has(name)) attributes.set(name, quotedText(match).replaceAll('&amp;', '&'));
  }
  return attributes;
}

function quotedText({ groups = {} }: RegExpMatchArray): string {
  return groups.double ?? groups.single ?? groups.bare ?? '';
}

/** Throws for metadata that hosts would reject or misread. `title` names the view. */
export function validateMeta(title: string, { csp, permissions, domain, prefersBorder }: ViewMeta): void {
  if (csp !== undefined) validateCsp(title, csp);
  if (permissions !== undefined) validatePermissions(title, permissions);
  if (domain !== undefined && typeof domain !== 'string') throw new TypeError(`${title}: "domain" must be a string`);
  if (prefersBorder !== undefined && typeof prefersBorder !== 'boolean') {
    throw new TypeError(`${title}: "prefersBorder" must be true or false`);
  }
}

function validateCsp(title: string, csp: unknown): void {
  const known = cspLists.map((name) => `"${name}"`).join(', ');
  if (!isObject(csp)) throw new TypeError(`${title}: "csp" must be an object with lists of origins: ${known}`);
  for (const [name, origins] of Object.entries(csp)) {
    if (!cspLists.includes(name as (typeof cspLists)[number])) {
      throw new TypeError(`${title}: "csp" has no list "${name.slice(0, 100)}": there are ${known}`);
    }
    if (!Array.isArray(origins)) {
      throw new TypeError(`${title}: "${name}" must be a list of origins, such as ["https://example.com"]`);
    }
    for (const origin of origins as unknown[]) {
      if (isOrigin(origin)) continue;
      const shown = typeof origin === 'string' ? JSON.stringify(origin.slice(0, 100)) : typeof origin;
      const hint = shown.includes('[')
        ? 'policies of browsers know no addresses of IPv6, so give the host a name'
        : 'write a scheme and a host, such as "https://example.com", "https://*.example.com" or "wss://example.com:8443"';
      throw new TypeError(`${title}: ${shown} in "${name}" is no origin: ${hint}`);
    }
  }
}

function validatePermissions(title: string, permissions: unknown): void {
  const known = viewPermissions.map((name) => `"${name}"`).join(', ');
  if (!isObject(permissions)) {
    throw new TypeError(`${title}: "permissions" must be an object, such as { camera: {} }; there are ${known}`);
  }
  for (const [name, value] of Object.entries(permissions)) {
    if (!viewPermissions.includes(name as (typeof viewPermissions)[number])) {
      throw new TypeError(`${title}: there is no permission "${name.slice(0, 100)}": there are ${known}`);
    }
    if (!isObject(value)) throw new TypeError(`${title}: write permissions: { ${name}: {} }`);
  }
}
