const parts = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)(.*)$/i;
const usualPorts: Readonly<Record<string, string>> = { https: ':443', http: ':80' };

/**
 * A URL in the one way in which names of servers are compared: without capitals in scheme and host, without the port that goes
 * without saying, and without a slash at the end. Nothing else is forgiven. What is no URL stays as it is.
 */
export function comparableUrl(text: string): string {
  const [, scheme, authority = '', rest = ''] = parts.exec(text) ?? [];
  if (scheme === undefined) return text;
  return sameHost(scheme, authority) + rest.replace(/\/$/, '');
}

/** The same, but for a slash at the end, which stays. */
export function tidyUrl(text: string): string {
  const [, scheme, authority = '', rest = ''] = parts.exec(text) ?? [];
  return scheme === undefined ? text : sameHost(scheme, authority) + rest;
}

function sameHost(scheme: string, authority: string): string {
  const [name, host] = [scheme.toLowerCase(), authority.toLowerCase()];
  const port = usualPorts[name];
  return `${name}://${port !== undefined && host.endsWith(port) ? host.slice(0, -port.length) : host}`;
}
