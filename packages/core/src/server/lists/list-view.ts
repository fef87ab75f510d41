import type { Registered } from '../define/registry.ts';

/** An entry with a listing. */
export type Listed = Registered & { readonly listing: object };

/** The visible part of a list for one caller. */
export interface ListView<Entry extends Registered = Listed> {
  readonly list: readonly Entry[];
  /** The cache key of the visible part; empty if everything is visible. */
  readonly variant: string;
}
