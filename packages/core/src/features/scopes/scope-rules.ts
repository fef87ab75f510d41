import type { AccessRules } from '../../server/access.ts';
import type { AccessRule } from '../../server/define/access-rule.ts';
import { resourceRule, type ScopedItem, scopeRule } from './scope-rule.ts';

/** The scopes that definitions require. */
export class ScopeRules implements AccessRules {
  readonly known: KnownScopes = new KnownScopes();
  readonly lists: 'all' | 'by-scope';

  constructor(lists: 'all' | 'by-scope' = 'all') {
    if (lists !== 'all' && lists !== 'by-scope') {
      throw new TypeError(`createServer: "lists" must be "all" or "by-scope", not ${JSON.stringify(lists)}`);
    }
    this.lists = lists;
  }

  callRule(title: string, item: ScopedItem): AccessRule | undefined {
    return this.#addKnown(scopeRule(title, item));
  }

  readRule(title: string, item: ScopedItem): AccessRule | undefined {
    return this.#addKnown(resourceRule(title, item));
  }

  #addKnown(rule: AccessRule | undefined): AccessRule | undefined {
    this.known.add(rule?.fixed);
    return rule;
  }
}

/** Maximum number of known scopes: a challenge keeps those that its caller has. */
const maxKnown = 10_000;

/** The scopes that a server asks for: declared ones, and those that callers lacked. */
class KnownScopes {
  readonly #known = new Set<string>();

  /** Evicts the oldest beyond the limit: functions of arguments may return any number. */
  add(scopes: readonly string[] | undefined): void {
    if (scopes === undefined) return;
    for (const scope of scopes) {
      this.#known.delete(scope);
      this.#known.add(scope);
    }
    for (const oldest of this.#known) {
      if (this.#known.size <= maxKnown) return;
      this.#known.delete(oldest);
    }
  }

  /** The granted scopes that this server requires anywhere. */
  filterKnown(granted: readonly string[]): readonly string[] {
    return granted.filter((scope) => this.#known.has(scope));
  }
}
