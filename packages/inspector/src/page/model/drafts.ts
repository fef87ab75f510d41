import { type Signal, signal } from '@preact/signals';
import { type Draft, createDraft } from '../form/draft.ts';
import type { Json } from '../form/json.ts';
import { saveToTab, loadFromTab } from './tab-storage.ts';

const drafts = new Map<string, Signal<Draft>>();

/** Draft by key; starts with the stored draft of this tab, or with `first`. */
export function getDraft(key: string, first: () => Json | undefined): Signal<Draft> {
  const known = drafts.get(key);
  if (known !== undefined) return known;
  const before = loadFromTab(`draft ${key}`);
  const draft = signal(before === undefined ? createDraft(first()) : (JSON.parse(before) as Draft));
  drafts.set(key, draft);
  draft.subscribe((value) => saveToTab(`draft ${key}`, JSON.stringify(value)));
  return draft;
}

/** Replaces the value of a draft. */
export function setDraft(key: string, value: Json | undefined): void {
  getDraft(key, () => value).value = createDraft(value);
}
