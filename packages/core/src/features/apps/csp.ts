import { isObject } from '../../jsonrpc/message.ts';
import { pageLimits as limits } from '../../page-limits.ts';
import { cspLists, type ViewCsp } from './view-meta.ts';

/** The maximum origins in a list of a view's policy. */
const maxOrigins = 64;

/** The valid origins of a view's metadata, and what was dropped. */
export interface SanitizedCsp {
  readonly csp: Required<ViewCsp>;
  /** For example `connectDomains: "https://x; script-src *"`, truncated for display. */
  readonly rejected: readonly string[];
}

const shownLength = 200;

/** Keeps the valid origins of a view's CSP metadata. Anything else could inject directives into the policy. */
export function sanitizeCsp(given: unknown): SanitizedCsp {
  const rejected: string[] = [];
  const csp: Record<string, string[]> = {};
  for (const name of cspLists) {
    const entries: unknown = isObject(given) ? given[name] : undefined;
    const all = Array.isArray(entries) ? (entries as unknown[]) : [];
    const valid = all.filter(isOrigin).slice(0, maxOrigins);
    csp[name] = [...new Set(valid.map((origin) => origin.toLowerCase()))];
    for (const entry of all.filter((each) => !valid.includes(each as string)).slice(0, limits.appHost.reports.value)) {
      rejected.push(`${name}: ${describeEntry(entry)}`);
    }
    if (entries !== undefined && !Array.isArray(entries)) rejected.push(`${name}: ${describeEntry(entries)}`);
  }
  return { csp: csp as unknown as Required<ViewCsp>, rejected };
}

function describeEntry(entry: unknown): string {
  return (typeof entry === 'string' ? JSON.stringify(entry) : typeof entry).slice(0, shownLength);
}

/** Options of a view's policy. */
export interface CspOptions {
  /** Allows `eval`, and loading `blob:` and `data:`, which many bundled pages need. */
  relaxed?: boolean;
}

/** Builds the content security policy of a view: its declared origins, and nothing else but itself. */
export function buildCsp(csp: Required<ViewCsp>, { relaxed = false }: CspOptions = {}): string {
  const made = relaxed ? ['blob:', 'data:'] : [];
  const evaluated = relaxed ? ["'unsafe-eval'", "'wasm-unsafe-eval'"] : [];
  const pictures = relaxed ? ['data:', 'blob:'] : ['data:'];
  const { connectDomains, resourceDomains, frameDomains, baseUriDomains } = csp;
  const directives: [string, readonly string[]][] = [
    ['default-src', ["'none'"]],
    ['script-src', ["'self'", "'unsafe-inline'", ...evaluated, ...made, ...resourceDomains]],
    ['style-src', ["'self'", "'unsafe-inline'", ...made, ...resourceDomains]],
    ['img-src', ["'self'", ...pictures, ...resourceDomains]],
    ['font-src', ["'self'", ...made, ...resourceDomains]],
    ['media-src', ["'self'", ...pictures, ...resourceDomains]],
    ['connect-src', orNone([...made, ...connectDomains])],
    ['frame-src', orNone(frameDomains)],
    ...(relaxed ? [['worker-src', ["'self'", ...made]] as [string, string[]]] : []),
    ['object-src', ["'none'"]],
    ['base-uri', baseUriDomains.length === 0 ? ["'self'"] : baseUriDomains],
  ];
  return directives.map(([name, sources]) => `${name} ${sources.join(' ')}`).join('; ');
}

function orNone(sources: readonly string[]): readonly string[] {
  return sources.length === 0 ? ["'none'"] : sources;
}

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
