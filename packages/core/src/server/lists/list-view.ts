import type { Registered } from '../define/registry.ts';

/** Something that has a row in a list. */
export type Listed = Registered & { readonly listing: object };

/** What one caller is shown of a list. */
export interface ListView<Entry extends Registered = Listed> {
  readonly list: readonly Entry[];
  /** The same for all callers who are shown the same; empty if that is everything. */
  readonly variant: string;
}
