import type { Subscriptions } from '../../../../server/subscriptions.ts';

/** What is changed in what a session watches. The rest is in the store, and need not be read for that. */
export class SubscriptionChanges implements Subscriptions {
  readonly added: Set<string> = new Set();
  readonly removed: Set<string> = new Set();
  /** What it watched before, where that is of interest. */
  base: ReadonlySet<string> | undefined;

  has(uri: string): boolean {
    return this.added.has(uri) || (this.base?.has(uri) === true && !this.removed.has(uri));
  }

  add(uri: string): void {
    this.removed.delete(uri);
    this.added.add(uri);
  }

  delete(uri: string): void {
    this.added.delete(uri);
    if (this.base?.has(uri) ?? true) this.removed.add(uri);
  }

  *uris(): Iterable<string> {
    yield* this.added;
    for (const uri of this.base ?? []) if (!this.added.has(uri) && !this.removed.has(uri)) yield uri;
  }

  /** Takes over changes that were made elsewhere. */
  change({ add, remove }: { add: readonly string[]; remove: readonly string[] }): void {
    for (const uri of remove) this.delete(uri);
    for (const uri of add) this.add(uri);
  }

  clear(): void {
    this.added.clear();
    this.removed.clear();
    this.base = undefined;
  }
}
