import type { ViewCsp } from '../view-meta.ts';

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
export function loadedUrls(html: string): LoadedUrl[] {
  const plain = html.replace(comment, '');
  const markup = plain.replace(script, '$<open></script>').replace(style, '');
  const found: LoadedUrl[] = [];
  for (const { groups = {} } of plain.matchAll(script)) found.push(...inScript(groups.code ?? ''));
  for (const { groups = {} } of plain.matchAll(style)) found.push(...inStyle(groups.rules ?? '', 'a style'));
  for (const { groups = {} } of markup.matchAll(element)) {
    found.push(...inElement((groups.name ?? '').toLowerCase(), attributesOf(groups.attributes ?? '')));
  }
  return found;
}

function inElement(name: string, attributes: ReadonlyMap<string, string>): LoadedUrl[] {
  const found = inStyle(attributes.get('style') ?? '', `style="…" of <${name}>`);
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

function inStyle(rules: string, place: string): LoadedUrl[] {
  return [...rules.matchAll(cssUrl), ...rules.matchAll(cssImport)].map((match) => ({
    url: quotedIn(match),
    place,
    list: 'resourceDomains',
  }));
}

function inScript(code: string): LoadedUrl[] {
  const connected = [...code.matchAll(connecting)].map(
    (match): LoadedUrl => ({ url: quotedIn(match), place: 'a script, which connects to it', list: 'connectDomains' }),
  );
  const imported = [...code.matchAll(importing)].map(
    (match): LoadedUrl => ({ url: quotedIn(match), place: 'a script, which imports it', list: 'resourceDomains' }),
  );
  // In code, only a URL with a scheme is certain.
  return [...connected, ...imported].filter(({ url }) => /^(?:https?|wss?):/i.test(url));
}

function attributesOf(written: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const match of written.matchAll(attribute)) {
    const name = (match.groups?.name ?? '').toLowerCase();
    if (!attributes.has(name)) attributes.set(name, quotedIn(match).replaceAll('&amp;', '&'));
  }
  return attributes;
}

function quotedIn({ groups = {} }: RegExpMatchArray): string {
  return groups.double ?? groups.single ?? groups.bare ?? '';
}
