import { limits } from '../../../limits.ts';
import { coversOrigin } from '../origin.ts';
import type { ViewCsp } from '../view-meta.ts';
import { type LoadedUrl, loadedUrls } from './loaded-urls.ts';

const mostBytes = limits.apps.view.value;
const doctype = /^\uFEFF?(?:\s|<!--[\s\S]*?-->)*<!doctype\s+html\b/i;

/** Part of the document or the browser: nothing is loaded. */
const inside = /^(?:data|blob|about|javascript):|^#|^$/i;

/** Throws for a document that hosts could not show completely. `title` names the view. */
export function validateDocument(title: string, html: string, csp: ViewCsp = {}): void {
  const refuse = (problem: string): never => {
    throw new TypeError(`${title} ${problem}`);
  };
  if (typeof html !== 'string') return refuse(`is not a string but ${typeof html}: give a whole document`);
  if (!doctype.test(html)) refuse('does not begin with <!doctype html>: a view is a whole HTML document');
  const bytes = new TextEncoder().encode(html).byteLength;
  if (bytes > mostBytes) {
    refuse(`has ${bytes} bytes, and ${mostBytes} is the most: leave data to the results of tools`);
  }
  const urls = loadedUrls(html);
  const base = baseOf(urls);
  for (const each of urls) {
    const problem = problemOf(each, csp, base);
    if (problem !== undefined) refuse(problem);
  }
}

function problemOf({ url, place, list }: LoadedUrl, csp: ViewCsp, base: string | undefined): string | undefined {
  if (inside.test(url)) return undefined;
  const from = list === 'baseUriDomains' ? undefined : base;
  const shown = JSON.stringify(url.length > 100 ? `${url.slice(0, 100)}…` : url);
  const address = resolved(url, from);
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

function resolved(url: string, base: string | undefined): URL | undefined {
  // Scheme-relative: the host page is https almost everywhere.
  const given = url.startsWith('//') ? `https:${url}` : url;
  return URL.canParse(given, base) ? new URL(given, base) : undefined;
}

/** Not `URL.origin`, which is "null" for WebSockets in some runtimes. */
function originOf({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}
