import type { BooleanField } from '../field.ts';
import { useInput } from '../field-frame.tsx';
import { useForm } from '../form-context.ts';

/** Yes or no; or nothing, where the server may decide. */
export function BooleanInput({ field }: { field: BooleanField }) {
  const { put } = useForm();
  const { id, ...attributes } = useInput(field);
  const { value, required, byDefault, path } = field;
  const unset = byDefault === undefined ? 'not sent' : `default: ${JSON.stringify(byDefault)}`;
  const states: readonly (readonly [state: boolean | undefined, word: string])[] = [
    [true, 'true'],
    [false, 'false'],
    ...(required ? [] : ([[undefined, unset]] as const)),
  ];
  return (
    <div class="switch" role="radiogroup" id={id} aria-labelledby={`${id}-label`} {...attributes}>
      {states.map(([state, word]) => (
        <label key={word} class={value === state ? 'is-chosen' : ''}>
          <input type="radio" class="hidden" name={id} checked={value === state} onChange={() => put(path, state)} />
          {word}
        </label>
      ))}
    </div>
  );
}
