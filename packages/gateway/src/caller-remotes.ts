import type { Auth, Operation } from '@ccmcp/core';

/** The remote of one caller. */
export interface CallerRemote {
  readonly status: { readonly activeCalls: number; readonly suspendedCalls: number };
  close(): Promise<void>;
}

/** The remotes of an upstream, one per caller. The least recently used are evicted. */
export class CallerRemotes<R extends CallerRemote> {
  readonly #create: (caller: Auth) => R | undefined;
  readonly #max: number;
  /** By principal, the least recently used first. */
  readonly #remotes = new Map<string, R>();

  constructor({ create, max }: { create: (caller: Auth) => R | undefined; max: number }) {
    this.#create = create;
    this.#max = max;
  }

  get all(): readonly R[] {
    return [...this.#remotes.values()];
  }

  /** The remote of the caller of a request; undefined if the caller is unknown, or can have none. */
  for({ auth }: Pick<Operation, 'auth'>): R | undefined {
    if (auth === undefined) return undefined;
    const known = this.#remotes.get(auth.principal);
    const found = known ?? this.#create(auth);
    if (found === undefined) return undefined;
    this.#remotes.delete(auth.principal);
    this.#remotes.set(auth.principal, found);
    if (known === undefined && this.#remotes.size > this.#max) this.#dropOne();
    return found;
  }

  async close(): Promise<void> {
    const all = this.all;
    this.#remotes.clear();
    await Promise.all(all.map((each) => each.close()));
  }

  #dropOne(): void {
    for (const [principal, each] of this.#remotes) {
      const { activeCalls, suspendedCalls } = each.status;
      if (activeCalls + suspendedCalls > 0) continue;
      this.#remotes.delete(principal);
      void each.close();
      return;
    }
  }
}
