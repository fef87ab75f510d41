import { type Signal, signal } from '@preact/signals';
import { type Draft, draftOf } from '../form/draft.ts';
import type { Json } from '../form/json.ts';
import { keep, kept } from './tab-storage.ts';

const drafts = new Map<string, Signal<Draft>>();

/** What is filled in somewhere; begins with what the tab kept, or else with `first`. */
export function draftFor(key: string, first: () => Json | undefined): Signal<Draft> {
  const known = drafts.get(key);
  if (known !== undefined) return known;
  const before = kept(`draft ${key}`);
  const draft = signal(before === undefined ? draftOf(first()) : (JSON.parse(before) as Draft));
  drafts.set(key, draft);
  draft.subscribe((value) => keep(`draft ${key}`, JSON.stringify(value)));
  return draft;
}

/** Puts a value where something is filled in. */
export function fill(key: string, value: Json | undefined): void {
  draftFor(key, () => value).value = draftOf(value);
}
