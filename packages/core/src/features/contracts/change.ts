import type { Compatibility } from './schema-change.ts';

/** The kinds of changes, the most severe first. */
export const changeKinds = ['suspicious', 'breaking', 'undecided', 'wording', 'compatible'] as const;

/** How a change affects those who rely on a definition. */
export type ChangeKind = Compatibility | 'suspicious';

/** The part of a server that changed. */
export interface ChangedItem {
  /** The name of the target in the lock. */
  readonly target: string;
  readonly item: 'server' | 'tool' | 'resource' | 'template' | 'prompt';
  /** The name of the tool or prompt, the URI of the resource, the URI template; empty for the server itself. */
  readonly name: string;
}

/** A difference between what was locked and what a server offers. */
export interface DefinitionChange extends ChangedItem {
  readonly kind: ChangeKind;
  /** JSON Pointer into the newer definition (the older one if the place is gone); empty for all of it. */
  readonly path: string;
  /** What changed, one sentence without trailing dot. It may quote the server: escape it before it is shown. */
  readonly text: string;
  /** The beginning of what was there before, around the change. */
  readonly before?: string;
  /** The same of what is there now. */
  readonly after?: string;
}

/** A change without the item that it is in. */
export type ItemChange = Omit<DefinitionChange, keyof ChangedItem>;

/** The most severe kind; undefined without changes. */
export function worstKind(changes: readonly Pick<DefinitionChange, 'kind'>[]): ChangeKind | undefined {
  return changeKinds.find((kind) => changes.some((change) => change.kind === kind));
}
