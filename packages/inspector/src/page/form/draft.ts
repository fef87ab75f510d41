import type { Choices } from './build-fields.ts';
import { type Json, type Path, pointerOf, sameJson, valueAt, withValueAt } from './json.ts';

/** Arguments that are being filled in: one value with two views, the form and its JSON. */
export interface Draft {
  /** The JSON as it was last typed, or as it follows from the form. */
  readonly text: string;
  /** What the form shows: the value of `text`, or the last that could be read. */
  readonly value: Json | undefined;
  /** What keeps `text` from being read. */
  readonly mistake?: string | undefined;
  readonly choices: Choices;
  /** What stood in branches that were left, by pointer and branch, so that coming back finds it. */
  readonly left: Readonly<Record<string, Json>>;
}

/** A draft that nobody has touched. */
export function draftOf(value: Json | undefined): Draft {
  return { text: written(value), value, choices: {}, left: {} };
}

/** Somebody typed into the JSON. */
export function withText(draft: Draft, text: string): Draft {
  if (text.trim() === '') return { ...draft, text, value: undefined, mistake: undefined };
  try {
    return { ...draft, text, value: JSON.parse(text) as Json, mistake: undefined };
  } catch (error) {
    return { ...draft, text, mistake: (error as Error).message };
  }
}

/** Somebody changed a field of the form. */
export function withField(draft: Draft, path: Path, put: Json | undefined): Draft {
  const value = withValueAt(draft.value, path, put);
  // What says the same keeps the way it was typed.
  if (draft.mistake === undefined && sameJson(value, draft.value)) return { ...draft, value };
  return { ...draft, value, text: written(value), mistake: undefined };
}

/** Somebody chose another branch of a union: what stood in the one before comes back with it. */
export function withBranch(draft: Draft, path: Path, from: number, to: number, fresh: Json | undefined): Draft {
  const pointer = pointerOf(path);
  const before = valueAt(draft.value, path);
  const left = { ...draft.left };
  if (before !== undefined) left[`${pointer} ${from}`] = before;
  const back = Object.hasOwn(left, `${pointer} ${to}`) ? left[`${pointer} ${to}`] : fresh;
  const changed = withField(draft, path, back);
  return { ...changed, left, choices: { ...draft.choices, [pointer]: to } };
}

function written(value: Json | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, undefined, 2);
}
