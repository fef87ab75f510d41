import type { Signal } from '@preact/signals';
import { type Draft, withText } from './draft.ts';
import { JsonEditor } from './json-editor.tsx';

/** A draft as JSON, with what keeps it from being some. */
export function JsonDraft({ draft, label }: { draft: Signal<Draft>; label: string }) {
  const { text, mistake } = draft.value;
  return (
    <>
      <JsonEditor text={text} label={label} onType={(typed) => (draft.value = withText(draft.value, typed))} />
      {mistake === undefined ? null : (
        <p class="bad small" role="alert">
          {mistake}
        </p>
      )}
    </>
  );
}
