import { pageLimits as limits } from '../../page-limits.ts';
import { isObject } from '../../jsonrpc/message.ts';
import { isOrigin } from './origin.ts';
import { cspLists, type ViewCsp } from './view-meta.ts';

/** The valid origins of a view's metadata, and what was dropped. */
export interface SanitizedCsp {
  readonly csp: Required<ViewCsp>;
  /** For example `connectDomains: "https://x; script-src *"`, truncated for display. */
  readonly refused: readonly string[];
}

const shownLength = 200;

/** Keeps the valid origins of a view's CSP metadata. Anything else could inject directives into the policy. */
export function sanitizeCsp(given: unknown): SanitizedCsp {
  const refused: string[] = [];
  const csp: Record<string, string[]> = {};
  for (const name of cspLists) {
    const entries: unknown = isObject(given) ? given[name] : undefined;
    const all = Array.isArray(entries) ? (entries as unknown[]) : [];
    const kept = all.filter(isOrigin).slice(0, limits.appHost.origins.value);
    csp[name] = [...new Set(kept.map((origin) => origin.toLowerCase()))];
    for (const entry of all.filter((each) => !kept.includes(each as string)).slice(0, limits.appHost.reports.value)) {
      refused.push(`${name}: ${shown(entry)}`);
    }
    if (entries !== undefined && !Array.isArray(entries)) refused.push(`${name}: ${shown(entries)}`);
  }
  return { csp: csp as unknown as Required<ViewCsp>, refused };
}

function shown(entry: unknown): string {
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
