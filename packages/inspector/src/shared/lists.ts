import type { CallError } from './calls.ts';

/** The lists of a server. */
export type ListKind = 'tools' | 'resources' | 'templates' | 'prompts';

/** A list of a server, as far as it is known. */
export interface ListState {
  readonly connection: string;
  readonly kind: ListKind;
  /**
   * `absent`: the server does not declare it. `loading`: asked for; what was known stays. `stale`: the server said that it changed,
   * and it is asked for again. `refused`: see `error`.
   */
  readonly state: 'absent' | 'loading' | 'loaded' | 'stale' | 'refused';
  /** Counts what was loaded: entries are those of this version. */
  readonly version: number;
  readonly count: number;
  readonly bytes: number;
  /** What it costs a model in each conversation, about. */
  readonly tokens: number;
  readonly ms?: number;
  readonly error?: CallError;
  /** What differs from the version before: names of tools and prompts, addresses of resources. Absent for the first. */
  readonly changes?: ListChanges;
  /** The entries, with the first event that tells of their version: in a recording always, else where they are first and few. */
  readonly listed?: ListEntries;
}

/** How two versions of a list differ; each at most 500 names. */
export interface ListChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** What `GET api/lists/CONNECTION/KIND` gives; with `?version=V` an earlier version, where it is still known. */
export interface ListEntries {
  readonly version: number;
  /** As the server listed them; data of a stranger. */
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  /** What each entry costs a model, in the same order. */
  readonly tokens: readonly number[];
}
