import { sanitize } from '../auth-error.ts';
import { isLoopback } from '../address-kind.ts';

const urlParts = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)(.*)$/i;
const defaultPorts: Readonly<Record<string, string>> = { https: ':443', http: ':80' };

/**
 * Normalizes a URL for comparison: lower-case scheme and host, no default port, no trailing slash. Nothing else
 * changes. Returns other texts unchanged.
 */
export function normalizeUrl(text: string): string {
  const [, scheme, authority = '', rest = ''] = urlParts.exec(text) ?? [];
  if (scheme === undefined) return text;
  return normalizedOrigin(scheme, authority) + rest.replace(/\/$/, '');
}

/** Normalizes a URL as `normalizeUrl` does, but keeps a trailing slash. */
function normalizeHost(text: string): string {
  const [, scheme, authority = '', rest = ''] = urlParts.exec(text) ?? [];
  return scheme === undefined ? text : normalizedOrigin(scheme, authority) + rest;
}

function normalizedOrigin(scheme: string, authority: string): string {
  const [name, host] = [scheme.toLowerCase(), authority.toLowerCase()];
  const port = defaultPorts[name];
  return `${name}://${port !== undefined && host.endsWith(port) ? host.slice(0, -port.length) : host}`;
}

/** The public URL of an endpoint. */
export interface Resource {
  /** The given URL with a normalized host and port. */
  readonly text: string;
  /** With the port, unless it is the default. */
  readonly host: string;
  readonly path: string;
}

/** Parses the option `resource`. Throws if it is invalid, or does not match the served path. */
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
