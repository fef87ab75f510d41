import { limits } from '../../limits.ts';

const maxKnown = limits.server.knownScopes.value;

/** The scopes that a server asks for: those that it declares, and those that callers were found to lack. */
export class KnownScopes {
  readonly #known = new Set<string>();

  /** The oldest are forgotten where there are too many: functions of arguments may name any number. */
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

  /** Those of a caller's scopes that this server asks for somewhere. */
  among(granted: readonly string[]): readonly string[] {
    return granted.filter((scope) => this.#known.has(scope));
  }
}
