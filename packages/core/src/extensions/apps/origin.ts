// Without IPv6 addresses: content security policies can't express them.
const form = /^(?<scheme>https?|wss?):\/\/(?<host>(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::(?<port>\d{1,5}))?$/i;

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443', ws: '80', wss: '443' };

/** True for an entry of an origin list: `https://example.com`, with a port, or `https://*.example.com`. */
export function isOrigin(text: unknown): text is string {
  return typeof text === 'string' && form.test(text) && URL.canParse(text.replace('*.', ''));
}

/** True if a list of origins covers a URL. */
export function coversOrigin(origins: readonly string[], address: URL): boolean {
  const scheme = address.protocol.slice(0, -1);
  const port = address.port || (defaultPorts[scheme] ?? '');
  return origins.some((origin) => {
    const listed = form.exec(origin)?.groups;
    if (listed === undefined || listed.scheme?.toLowerCase() !== scheme) return false;
    if ((listed.port ?? defaultPorts[scheme]) !== port) return false;
    const host = (listed.host as string).toLowerCase();
    return host.startsWith('*.') ? address.hostname.endsWith(host.slice(1)) : address.hostname === host;
  });
}
