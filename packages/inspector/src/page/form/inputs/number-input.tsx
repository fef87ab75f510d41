import { useState } from 'preact/hooks';
import type { NumberField } from '../field.ts';
import { useInput } from '../field-frame.tsx';
import { useForm } from '../form-context.ts';
import { typedNumber } from '../read-field.ts';

/** A number. What is typed stays as it was typed, such as `1.0`, while it means the same. */
export function NumberInput({ field }: { field: NumberField }) {
  const { put } = useForm();
  const attributes = useInput(field);
  const [typed, setTyped] = useState(field.text);
  const text = typedNumber(typed) === field.value ? typed : field.text;
  return (
    <input
      {...attributes}
      class="input mono short"
      inputMode={field.whole ? 'numeric' : 'decimal'}
      value={text}
      placeholder={placeholderOf(field)}
      autocomplete="off"
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        put(field.path, typedNumber(event.currentTarget.value));
      }}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
        if (by === 0 || typeof (field.value ?? 0) !== 'number') return;
        event.preventDefault();
        put(field.path, ((field.value ?? 0) as number) + by);
      }}
    />
  );
}

function placeholderOf({ byDefault, whole }: NumberField): string {
  if (byDefault !== undefined) return `default: ${JSON.stringify(byDefault)}`;
  return whole ? 'whole number' : 'number';
}
