import type { ChoiceField, ChoicesField, BooleanField } from '../field.ts';
import { useInput } from '../field-frame.tsx';
import { useForm } from '../form-context.ts';
import { sameJson, type Json } from '../json.ts';

/** One of several values. */
export function ChoiceInput({ field }: { field: ChoiceField }) {
  const { put } = useForm();
  const attributes = useInput(field);
  const { options, index, required, byDefault, path } = field;
  const [only] = options;
  if (options.length === 1 && index === 0 && required && only !== undefined) {
    return <code class="fixed">{only.label}</code>;
  }
  const named = options.find(({ value }) => byDefault !== undefined && sameJson(value, byDefault));
  const unset =
    byDefault === undefined
      ? required
        ? 'choose …'
        : 'not sent'
      : `default: ${named?.label ?? JSON.stringify(byDefault)}`;
  return (
    <select
      {...attributes}
      class="input"
      value={String(index)}
      onChange={(event) => put(path, options[Number(event.currentTarget.value)]?.value)}
    >
      {index !== -1 && required ? null : <option value="-1">{unset}</option>}
      {options.map(({ label }, each) => (
        <option key={each} value={String(each)}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** Some of several values. */
export function ChoicesInput({ field }: { field: ChoicesField }) {
  const { put } = useForm();
  const { id } = useInput(field);
  const chosen = (field.value ?? []) as readonly Json[];
  const byDefault = field.value === undefined && Array.isArray(field.byDefault) ? (field.byDefault as Json[]) : [];
  const defaults = field.options.filter(({ value }) => byDefault.some((each) => sameJson(each, value)));
  return (
    <div class="line choices" role="group" id={id} aria-labelledby={`${id}-label`}>
      {field.options.map(({ value, label }, index) => {
        const isChosen = chosen.some((each) => sameJson(each, value));
        return (
          <label key={index}>
            <input
              type="checkbox"
              checked={isChosen}
              onChange={() =>
                put(field.path, isChosen ? chosen.filter((each) => !sameJson(each, value)) : [...chosen, value])
              }
            />{' '}
            {label}
          </label>
        );
      })}
      {defaults.length === 0 ? null : (
        <span class="dim small">default: {defaults.map(({ label }) => label).join(', ')}</span>
      )}
    </div>
  );
}

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
