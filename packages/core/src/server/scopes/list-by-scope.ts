import type { ToolListing } from '../../protocol/listing.ts';
import type { Call } from '../call/call.ts';
import type { Exchange } from '../exchange.ts';
import type { Listed, ListView } from '../lists/pagination.ts';
import type { Registered } from '../define/registry.ts';
import { allScopes, type ScopeRule } from './scope-rule.ts';
import { hasScopes, isLimited } from './check-scopes.ts';
import type { ToolEntry } from '../define/tool-entry.ts';

type Ruled = Registered & { readonly scopes: ScopeRule | undefined };

/** What hosts that sign people in by tool read of one: whether it can be called without, and what it wants otherwise. */
type SecurityScheme = { type: 'noauth' } | { type: 'oauth2'; scopes?: readonly string[] };

/** What the caller of a list is shown: everything, or, where the server's lists go by scope, what they may use. */
export function shownTo<Entry extends Ruled>(
  call: Call,
  { list }: { readonly list: readonly Entry[] },
): ListView<Entry> {
  const { server, exchange } = call;
  if (!server.scoped) return { list, variant: '' };
  const hides = server.options.lists === 'by-scope' ? isRuled : isSecret;
  // Other lists are the same for everybody.
  if (hides === isSecret && declaredIn(list, isSecret) === undefined) return { list, variant: '' };
  call.keepPrivate();
  const variant = variantOf(list, exchange, hides);
  if (variant === '') return { list, variant };
  return {
    variant,
    // Left alone where the page is there as text.
    get list() {
      return list.filter((entry) => !hides(entry) || hasScopes(exchange, entry.scopes?.fixed));
    },
  };
}

/** Which entries of a list are shown only to those who may use them. */
type Hides = (entry: Ruled) => boolean;

const isRuled: Hides = ({ scopes }) => scopes !== undefined;

const isSecret: Hides = ({ scopes }) => scopes?.secret === true;

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
function variantOf(list: readonly Ruled[], exchange: Exchange, hides: Hides): string {
  if (!isLimited(exchange)) return '';
  if (exchange.auth === undefined) return 'nobody';
  const granted = new Set(exchange.auth.scopes);
  return `granted ${(declaredIn(list, hides) ?? []).filter((scope) => granted.has(scope)).join(' ')}`;
}

type Declared = WeakMap<readonly Ruled[], readonly string[] | undefined>;

/** What the entries of a list demand, by the list: it stays as it is until the next change. */
const declared: ReadonlyMap<Hides, Declared> = new Map([
  [isRuled, new WeakMap()],
  [isSecret, new WeakMap()],
]);

/** What those demand that are hidden from some; undefined where none is. */
function declaredIn(list: readonly Ruled[], hides: Hides): readonly string[] | undefined {
  const known = declared.get(hides) as Declared;
  if (!known.has(list)) {
    known.set(list, allScopes(list.filter(hides).map(({ scopes }) => scopes?.fixed))?.sort());
  }
  return known.get(list);
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
