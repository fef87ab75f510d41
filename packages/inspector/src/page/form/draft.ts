import type { Choices } from './build-fields.ts';
import { type Json, type Path, formatPointer, jsonEquals, valueAt, withValueAt } from './json.ts';

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
