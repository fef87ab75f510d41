import { type Signal, signal } from '@preact/signals';
import { formatPointer, type Json, jsonEquals, type Path, valueAt, withValueAt } from '../../shared/json.ts';
import type { Section } from './route.ts';
import { loadFromTab, saveToTab } from './tab-storage.ts';

/** Selected branch of each union, by JSON pointer. */
export type Choices = Readonly<Record<string, number>>;

/** Arguments being edited: one value with two views, form and JSON. */
export interface Draft {
  /** The JSON as typed, or as derived from the form. */
  readonly text: string;
  /** Value of `text`, or the last one that could be parsed. */
  readonly value: Json | undefined;
  /** Why `text` can't be parsed. */
  readonly parseError?: string | undefined;
  readonly choices: Choices;
  /** Values of inactive branches, by pointer and branch, to restore them on return. */
  readonly inactiveBranches: Readonly<Record<string, Json>>;
}

/** Creates an unedited draft. */
export function createDraft(value: Json | undefined): Draft {
  return { text: toJsonText(value), value, choices: {}, inactiveBranches: {} };
}

/** Applies an edit of the JSON. */
export function withText(draft: Draft, text: string): Draft {
  if (text.trim() === '') return { ...draft, text, value: undefined, parseError: undefined };
  try {
    return { ...draft, text, value: JSON.parse(text) as Json, parseError: undefined };
  } catch (error) {
    return { ...draft, text, parseError: (error as Error).message };
  }
}

/** Applies an edit of a form field. */
export function withField(draft: Draft, path: Path, put: Json | undefined): Draft {
  const value = withValueAt(draft.value, path, put);
  // An equal value keeps the text as typed.
  if (draft.parseError === undefined && jsonEquals(value, draft.value)) return { ...draft, value };
  return { ...draft, value, text: toJsonText(value), parseError: undefined };
}

/** Switches the branch of a union, and restores the branch's previous value. */
export function withBranch(draft: Draft, path: Path, from: number, to: number, fresh: Json | undefined): Draft {
  const pointer = formatPointer(path);
  const before = valueAt(draft.value, path);
  const left = { ...draft.inactiveBranches };
  if (before !== undefined) left[`${pointer} ${from}`] = before;
  const back = Object.hasOwn(left, `${pointer} ${to}`) ? left[`${pointer} ${to}`] : fresh;
  const changed = withField(draft, path, back);
  return { ...changed, inactiveBranches: left, choices: { ...draft.choices, [pointer]: to } };
}

function toJsonText(value: Json | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, undefined, 2);
}

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

/** Storage key of a draft. */
export function draftKey(server: string, section: Section, name: string): string {
  return `${server}/${section}/${name}`;
}

/** Storage key of the option. */
export function taskOptionKey(key: string): string {
  return `${key} as a task`;
}

/** Whether to call a tool as a task, if that is optional; stored like a draft. */
export function getTaskOption(key: string): Signal<Draft> {
  return getDraft(taskOptionKey(key), () => false);
}
