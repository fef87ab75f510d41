import { isObject } from '../../../jsonrpc/message.ts';

/** A violation of a view's policy. */
export interface PolicyViolation {
  /** For example `connect-src`. */
  readonly directive: string;
  /** The blocked URL, or a word such as `eval`. */
  readonly blocked: string;
  readonly source: string;
  readonly line: number;
  /** The declaration that would allow it, for example `csp: { connectDomains: ['https://api.example'] }`. */
  readonly advice: string;
}

/** An error in the script of a view. */
export interface ViewError {
  readonly message: string;
  readonly source: string;
  readonly line: number;
}

/** A report of a sandbox about its view. */
export type SandboxReport =
  | ({ readonly kind: 'policy' } & PolicyViolation)
  | ({ readonly kind: 'error' } & ViewError)
  | { readonly kind: 'refused'; readonly what: string }
  | { readonly kind: 'flood'; readonly dropped: number };

const maxLength = 500;

const cspListByDirective: Readonly<Record<string, string>> = {
  'connect-src': 'connectDomains',
  'frame-src': 'frameDomains',
  'base-uri': 'baseUriDomains',
};

const resources = /^(?:script|style|img|font|media)-src/;

/** Parses a report; undefined for anything else. A view could forge one, but only about itself. */
export function parseReport(given: unknown): SandboxReport | undefined {
  if (!isObject(given)) return undefined;
  const place = { source: text(given.source), line: typeof given.line === 'number' ? given.line : 0 };
  switch (given.kind) {
    case 'policy': {
      const found = { directive: text(given.directive), blocked: text(given.blocked) };
      return { kind: 'policy', ...found, ...place, advice: adviceFor(found.directive, found.blocked) };
    }
    case 'error':
      return { kind: 'error', message: text(given.message), ...place };
    case 'refused':
      return { kind: 'refused', what: text(given.what) };
    case 'flood':
      return { kind: 'flood', dropped: typeof given.dropped === 'number' ? given.dropped : 0 };
    default:
      return undefined;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, maxLength) : '';
}

/** The declaration that would allow something. */
export function adviceFor(directive: string, blocked: string): string {
  const scheme = /^(blob|data)(?::|$)/.exec(blocked)?.[1];
  if (/^(?:eval|wasm-eval|trusted-types)/.test(blocked) || scheme !== undefined) {
    return `bundle the page so that it needs no ${scheme === undefined ? 'eval' : `${scheme}: addresses`}, or show it with "relaxed"`;
  }
  if (directive.startsWith('frame-ancestors')) return 'add the page that shows the view to "hosts" of its sandbox';
  const list = cspListByDirective[directive] ?? (resources.test(directive) ? 'resourceDomains' : undefined);
  if (list === undefined || !URL.canParse(blocked)) return 'put it into the document of the view itself';
  if (new URL(blocked).hostname.startsWith('[')) return 'policies know no addresses of IPv6: use a name for the host';
  return `csp: { ${list}: ['${new URL(blocked).origin}'] }`;
}
