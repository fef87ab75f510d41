import type { CallError } from './calls.ts';

/** Lists of a server. */
export type ListKind = 'tools' | 'resources' | 'templates' | 'prompts';

/** State of a list. */
export interface ListState {
  readonly connection: string;
  readonly kind: ListKind;
  /**
   * `absent`: not declared. `loading`: requested; old entries stay. `stale`: the server announced a change, and it is being reloaded.
   * `refused`: see `error`.
   */
  readonly state: 'absent' | 'loading' | 'loaded' | 'stale' | 'refused';
  /** Version counter of the entries. */
  readonly version: number;
  readonly count: number;
  readonly bytes: number;
  /** Estimated tokens in each conversation. */
  readonly tokens: number;
  readonly ms?: number;
  readonly error?: CallError;
  /** Changes since the previous version; absent for the first. */
  readonly changes?: ListChanges;
  /** The entries, with the first event of their version: always in a recording, else only a short first list. */
  readonly listed?: ListEntries;
}

/** Diff of two list versions, possibly truncated. */
export interface ListChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Number of further changes that are not named. */
  readonly more?: Readonly<Record<'added' | 'removed' | 'changed', number>>;
  /** In a recording only; else by `GET api/messages/N`, where N is the number of this event. */
  readonly definitions?: readonly ChangedDefinition[];
}

/** Definition of an entry before and after a change. */
export interface ChangedDefinition {
  readonly name: string;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

/** Response of `GET api/lists/CONNECTION/KIND`; `?version=V` requests an earlier version. */
export interface ListEntries {
  readonly version: number;
  /** As listed by the untrusted server. */
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  /** Estimated tokens of each entry, in the same order. */
  readonly tokens: readonly number[];
}
