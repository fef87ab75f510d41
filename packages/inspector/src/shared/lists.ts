import type { CallError } from './calls.ts';

/** Lists of a server, in display order. */
export const listKinds = ['tools', 'resources', 'templates', 'prompts'] as const;

/** A list of a server. */
export type ListKind = (typeof listKinds)[number];

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
  /** The trouble that clients have with a tool, by its name, if with any. */
  readonly quirks?: Readonly<Record<string, readonly ToolQuirk[]>>;
}

/** What a client does with the name or a schema of a tool. */
export interface ToolQuirk {
  readonly client: string;
  readonly summary: string;
  readonly source: string;
}

/** Filter of a subscription. */
export interface Filter {
  readonly tools?: boolean;
  readonly prompts?: boolean;
  readonly resources?: boolean;
  readonly uris?: readonly string[];
  /** Filters of extensions. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** State of a subscription; replaces earlier state. */
export interface Subscription {
  readonly subscription: string;
  readonly connection: string;
  readonly state: 'opening' | 'open' | 'closed' | 'broken';
  readonly wanted: Filter;
  /** The part that the server honours. */
  readonly honoured?: Filter;
  /** Whether its resources are read, initially and on every change. */
  readonly reads?: true;
  readonly message?: string;
}

/** A reported change. */
export interface Change {
  readonly connection: string;
  readonly subscription?: string;
  readonly what: 'tools' | 'prompts' | 'resources' | 'resource';
  readonly uri?: string;
}

/** A listed skill from an untrusted server. */
export interface ListedSkill {
  /** URI of its `SKILL.md`. */
  readonly uri: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** Its files; absent if they are generated on read. */
  readonly files?: readonly { readonly uri: string; readonly bytes: number; readonly digest: string }[];
}

/** Listed skills, and rejected entries. */
export interface SkillList {
  readonly skills: readonly ListedSkill[];
  readonly rejected: readonly { readonly uri: string; readonly message: string }[];
}

/** A read skill, with the verification of its files. */
export interface ReadSkill {
  /** Body of `SKILL.md`; absent if it must not be used. */
  readonly instructions?: string;
  /** `problem` is absent if size and digest match the list. */
  readonly files: readonly { readonly uri: string; readonly problem?: string }[];
}

/** A definition that is held back, because it differs from the lock. */
export interface HeldDefinition {
  readonly held: string;
  readonly item: 'server' | 'tool' | 'resource' | 'template' | 'prompt';
  readonly name: string;
  /** What changed, escaped. */
  readonly message: string;
}
