import { pageLimits as limits } from '../../page-limits.ts';
import { isObject } from '../../jsonrpc/message.ts';
import { isOrigin } from './origin.ts';
import { cspLists, type ViewCsp } from './view-meta.ts';

/** The origins of a view's metadata that are origins, and what else stood there. */
export interface SanitizedCsp {
  readonly csp: Required<ViewCsp>;
  /** As `connectDomains: "https://x; script-src *"`, each cut to a length that can be shown. */
  readonly refused: readonly string[];
}

const shownLength = 200;

/** Takes the origins out of what a server says its view needs. Whatever is no origin could say more in a policy than it may. */
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

/** How strictly a view is held. */
export interface CspOptions {
  /** Lets scripts be made from texts, and `blob:` and `data:` be loaded: many bundled pages need that. */
  relaxed?: boolean;
}

/** The content security policy of a view: what it declared, and nothing else but itself. */
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
