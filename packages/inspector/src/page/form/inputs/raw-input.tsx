import { useState } from 'preact/hooks';
import type { RawField } from '../field.ts';
import { useInput } from '../field-frame.tsx';
import { useForm } from '../form-context.ts';
import { sameJson } from '../json.ts';
import { typedJson } from '../read-field.ts';

/** Any JSON. */
export function RawInput({ field }: { field: RawField }) {
  const { put } = useForm();
  const attributes = useInput(field);
  const [typed, setTyped] = useState(field.text);
  const read = typedJson(typed);
  const isOwn = 'problem' in read || sameJson(read.value, field.value);
  const text = isOwn ? typed : field.text;
  return (
    <>
      <textarea
        {...attributes}
        class="input mono"
        rows={Math.min(12, Math.max(1, text.split('\n').length))}
        value={text}
        placeholder="JSON"
        spellcheck={false}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          const now = typedJson(event.currentTarget.value);
          if (!('problem' in now)) put(field.path, now.value);
        }}
      />
      {isOwn && 'problem' in read ? (
        <p class="bad small">Not JSON yet: {read.problem}. What was there before counts.</p>
      ) : null}
      {field.unfitting ? <p class="note small">Not what the schema wants here; shown as it is.</p> : null}
    </>
  );
}
