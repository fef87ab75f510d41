import type { ToolListing } from '../../protocol/listing.ts';
import type { Peer } from '../../server/peer.ts';
import type { GuardedEntry, GuardedTool } from '../../server/access.ts';
import type { AccessRule } from '../../server/define/access-rule.ts';
import type { Listed, ListView } from '../../server/lists/list-view.ts';
import { allScopes } from './scope-rule.ts';
import { hasScopes, isLimited } from './scope-check.ts';

/** The entries of a kind. */
export interface Entries<Entry extends GuardedEntry> {
  readonly list: readonly Entry[];
}

/** A list request. */
export interface ListingCall {
  readonly peer: Peer;
  keepPrivate(): void;
}

/** The security schemes of a tool, for hosts that sign in per tool: whether it allows anonymous calls, else its scopes. */
type SecurityScheme = { type: 'noauth' } | { type: 'oauth2'; scopes?: readonly string[] };

/** The entries that the caller of a list sees: all, or with `lists: 'by-scope'` those they may use. */
export function visibleTo<Entry extends GuardedEntry>(
  call: ListingCall,
  { list }: Entries<Entry>,
  lists: 'all' | 'by-scope',
): ListView<Entry> {
  const { peer } = call;
  const hides = lists === 'by-scope' ? isRuled : isSecret;
  // Other lists are the same for all callers.
  if (hides === isSecret && declaredIn(list, isSecret) === undefined) return { list, variant: '' };
  call.keepPrivate();
  const variant = variantOf(list, peer, hides);
  if (variant === '') return { list, variant };
  return {
    variant,
    // Unchanged if the page is cached as text.
    get list() {
      return list.filter((entry) => !hides(entry) || hasScopes(peer, entry.access?.fixed));
    },
  };
}

/** Selects the entries that only callers with their scopes see. */
type EntryFilter = (entry: GuardedEntry) => boolean;

const isRuled: EntryFilter = ({ access }) => access !== undefined;

const isSecret: EntryFilter = ({ access }) => access?.secret === true;

/** Adds security schemes to the list entries of tools, if anonymous callers are served. */
export function withSchemes({ authPolicy }: Peer, view: ListView<GuardedTool>): ListView {
  if (authPolicy?.allowsAnonymous !== true) return view;
  return {
    variant: `schemes ${view.variant}`,
    get list() {
      return view.list.map((entry) => new SchemedRow(entry));
    },
  };
}

/** Callers with the same variant see the same list. */
function variantOf(list: readonly GuardedEntry[], peer: Peer, hides: EntryFilter): string {
  if (!isLimited(peer)) return '';
  if (peer.auth === undefined) return 'nobody';
  const granted = new Set(peer.auth.scopes);
  return `granted ${(declaredIn(list, hides) ?? []).filter((scope) => granted.has(scope)).join(' ')}`;
}

type Declared = WeakMap<readonly GuardedEntry[], readonly string[] | undefined>;

/** The requirements of a list's entries, cached by the array of entries, which is replaced on every change. */
const declared: ReadonlyMap<EntryFilter, Declared> = new Map([
  [isRuled, new WeakMap()],
  [isSecret, new WeakMap()],
]);

/** The requirements of entries that are hidden from some callers; undefined if there are none. */
function declaredIn(list: readonly GuardedEntry[], hides: EntryFilter): readonly string[] | undefined {
  const known = declared.get(hides) as Declared;
  if (!known.has(list)) {
    known.set(list, allScopes(list.filter(hides).map(({ access }) => access?.fixed))?.sort());
  }
  return known.get(list);
}

/** A tool with its security schemes. Its listing is computed lazily: schema libraries convert slowly. */
class SchemedRow implements Listed {
  readonly #entry: GuardedTool;

  constructor(entry: GuardedTool) {
    this.#entry = entry;
  }

  get key(): string {
    return this.#entry.key;
  }

  get position(): number {
    return this.#entry.position;
  }

  get listing(): ToolListing & { securitySchemes: readonly SecurityScheme[] } {
    const { listing, access } = this.#entry;
    const securitySchemes = schemesOf(access);
    // In both places: hosts of different versions read different ones.
    return { ...listing, securitySchemes, _meta: { ...listing._meta, securitySchemes } };
  }
}

function schemesOf(rule: AccessRule | undefined): readonly SecurityScheme[] {
  if (rule === undefined) return [{ type: 'noauth' }];
  if (rule.fixed === undefined) return [{ type: 'noauth' }, { type: 'oauth2' }];
  return [{ type: 'oauth2', scopes: rule.fixed }];
}
