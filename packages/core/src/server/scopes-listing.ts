import type { ToolListing } from '../protocol/listing.ts';
import type { Call } from './call.ts';
import type { Exchange } from './exchange.ts';
import type { Listed, ListView } from './list-page.ts';
import type { Registered } from './registry.ts';
import { allScopes, type ScopeRule } from './scopes.ts';
import { hasScopes, isLimited } from './scopes-check.ts';
import type { ToolEntry } from './tools.ts';

type Ruled = Registered & { readonly scopes: ScopeRule | undefined };

/** What hosts that sign people in by tool read of one: whether it can be called without, and what it wants otherwise. */
type SecurityScheme = { type: 'noauth' } | { type: 'oauth2'; scopes?: readonly string[] };

/** What the caller of a list is shown: everything, or, where the server's lists go by scope, what they may use. */
export function shownTo<Entry extends Ruled>(
  call: Call,
  { list }: { readonly list: readonly Entry[] },
): ListView<Entry> {
  const { server, exchange } = call;
  if (!server.scoped || server.options.lists !== 'by-scope') return { list, variant: '' };
  keepPrivate(call);
  const variant = variantOf(list, exchange);
  if (variant === '') return { list, variant };
  return {
    variant,
    // Left alone where the page is there as text.
    get list() {
      return list.filter(({ scopes }) => hasScopes(exchange, scopes?.fixed));
    },
  };
}

/** Whatever differs from caller to caller is nothing for a cache that callers share. */
export function keepPrivate(call: Call): void {
  const { ttlMs } = call.cache ?? call.server.cache;
  call.extras.cache = { ttlMs, scope: 'private' };
}

/** Has the rows of tools say what each wants of a caller, where some are served who have not said who they are. */
export function withSchemes(call: Call, view: ListView<ToolEntry>): ListView {
  if (call.exchange.entrance?.mixed !== true) return view;
  return {
    variant: `schemes ${view.variant}`,
    get list() {
      return view.list.map((entry) => new SchemedRow(entry));
    },
  };
}

/** Callers with the same variant are shown the same. */
function variantOf(list: readonly Ruled[], exchange: Exchange): string {
  if (!isLimited(exchange)) return '';
  if (exchange.auth === undefined) return 'nobody';
  const granted = new Set(exchange.auth.scopes);
  return `granted ${declaredIn(list)
    .filter((scope) => granted.has(scope))
    .join(' ')}`;
}

/** What the entries of a list demand, by the list: it stays as it is until the next change. */
const declared = new WeakMap<readonly Ruled[], readonly string[]>();

function declaredIn(list: readonly Ruled[]): readonly string[] {
  let found = declared.get(list);
  if (found === undefined) {
    found = [...(allScopes(list.map(({ scopes }) => scopes?.fixed)) ?? [])].sort();
    declared.set(list, found);
  }
  return found;
}

/** A tool in a list, whose row is made when it is read: that may take its library a while. */
class SchemedRow implements Listed {
  readonly #entry: ToolEntry;

  constructor(entry: ToolEntry) {
    this.#entry = entry;
  }

  get key(): string {
    return this.#entry.key;
  }

  get position(): number {
    return this.#entry.position;
  }

  get listing(): ToolListing & { securitySchemes: readonly SecurityScheme[] } {
    const { listing, scopes } = this.#entry;
    const securitySchemes = schemesOf(scopes);
    // Twice: hosts of some versions look in one place, and of others in the other.
    return { ...listing, securitySchemes, _meta: { ...listing._meta, securitySchemes } };
  }
}

function schemesOf(rule: ScopeRule | undefined): readonly SecurityScheme[] {
  if (rule === undefined) return [{ type: 'noauth' }];
  if (rule.fixed === undefined) return [{ type: 'noauth' }, { type: 'oauth2' }];
  return [{ type: 'oauth2', scopes: rule.fixed }];
}
