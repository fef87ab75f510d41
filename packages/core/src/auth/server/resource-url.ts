import { sanitize } from '../auth-error.ts';
import { isLoopback } from '../loopback-url.ts';

const urlParts = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)(.*)$/i;
const defaultPorts: Readonly<Record<string, string>> = { https: ':443', http: ':80' };

/**
 * A URL in the one way in which names of servers are compared: without capitals in scheme and host, without the port that goes
 * without saying, and without a slash at the end. Nothing else is forgiven. What is no URL stays as it is.
 */
export function normalizeUrl(text: string): string {
  const [, scheme, authority = '', rest = ''] = urlParts.exec(text) ?? [];
  if (scheme === undefined) return text;
  return normalizedOrigin(scheme, authority) + rest.replace(/\/$/, '');
}

/** The same, but for a slash at the end, which stays. */
function normalizeHost(text: string): string {
  const [, scheme, authority = '', rest = ''] = urlParts.exec(text) ?? [];
  return scheme === undefined ? text : normalizedOrigin(scheme, authority) + rest;
}

function normalizedOrigin(scheme: string, authority: string): string {
  const [name, host] = [scheme.toLowerCase(), authority.toLowerCase()];
  const port = defaultPorts[name];
  return `${name}://${port !== undefined && host.endsWith(port) ? host.slice(0, -port.length) : host}`;
}

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
    throw resourceError(text, 'is no https URL');
  }
  if (url.protocol === 'http:' && !isLoopback(url)) throw resourceError(text, 'must begin with https://');
  if (/[?#]/.test(text)) throw resourceError(text, 'must have neither query nor fragment');
  const path = url.pathname;
  const [end, served] = [trimSlash(path), trimSlash(servedPath)];
  if (end !== served && !end.endsWith(served)) {
    const remedy = `serve it at that path, with { path: ${JSON.stringify(path)} }, or name the path that is served`;
    throw resourceError(text, `does not lead to ${servedPath}, where the endpoint is: ${remedy}`);
  }
  return { text: normalizeHost(text), host: url.host, path };
}

function trimSlash(path: string): string {
  return path.replace(/\/$/, '');
}

function resourceError(text: string, what: string): TypeError {
  const example = 'It is the public address of this endpoint, such as https://api.example.com/mcp';
  return new TypeError(`The option "resource" (--resource) ${what}: ${sanitize(text)}. ${example}`);
}
