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

/** How two versions of a list differ: the first names of each kind of change. */
export interface ListChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** How many there are beside the named ones, where there are too many to name them all. */
  readonly more?: Readonly<Record<'added' | 'removed' | 'changed', number>>;
  /** In a recording. Else it is the text of `GET api/messages/N`, where N is the number of this event. */
  readonly definitions?: readonly ChangedDefinition[];
}

/** An entry as it was listed before and after a change: one that came was not there before, one that went is not there after. */
export interface ChangedDefinition {
  readonly name: string;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

/** What `GET api/lists/CONNECTION/KIND` gives; with `?version=V` an earlier version, where it is still known. */
export interface ListEntries {
  readonly version: number;
  /** As the server listed them; data of a stranger. */
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  /** What each entry costs a model, in the same order. */
  readonly tokens: readonly number[];
}
