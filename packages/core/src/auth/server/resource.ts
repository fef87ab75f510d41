import { shown } from '../auth-error.ts';
import { isLoopback } from '../remote.ts';

/** The public address of an endpoint. */
export interface Resource {
  /** As it was given, but for what makes no difference: capitals in the host, and the port that goes without saying. */
  readonly text: string;
  /** With the port, where it has one of its own. */
  readonly host: string;
  readonly path: string;
}

/** Reads the option `resource`. Says what is wrong with it, also where it does not lead to the path that is served. */
export function readResource(text: string, servedPath: string): Resource {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw wrong(text, 'is no https URL');
  }
  if (url.protocol === 'http:' && !isLoopback(url)) throw wrong(text, 'must begin with https://');
  if (/[?#]/.test(text)) throw wrong(text, 'must have neither query nor fragment');
  const path = url.pathname;
  const [end, served] = [withoutSlash(path), withoutSlash(servedPath)];
  if (end !== served && !end.endsWith(served)) {
    const remedy = `serve it at that path, with { path: ${JSON.stringify(path)} }, or name the path that is served`;
    throw wrong(text, `does not lead to ${servedPath}, where the endpoint is: ${remedy}`);
  }
  return { text: canonicalUrl(text) ?? text, host: url.host, path };
}

/**
 * A URL in the one way in which it is compared: without capitals in scheme and host, without the port that goes without saying,
 * and with no slash where that is all of the path. Undefined for what is no URL.
 */
export function canonicalUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, host, protocol, pathname, search, hash } = new URL(text);
  const start = origin === 'null' ? `${protocol}//${host}` : origin;
  const path = pathname === '/' && !text.endsWith('/') ? '' : pathname;
  return `${start}${path}${search}${hash}`;
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}

function wrong(text: string, what: string): TypeError {
  const example = 'It is the public address of this endpoint, such as https://api.example.com/mcp';
  return new TypeError(`The option "resource" (--resource) ${what}: ${shown(text)}. ${example}`);
}
