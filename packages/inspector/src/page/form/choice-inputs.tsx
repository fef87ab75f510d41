import { type Json, jsonEquals } from '../../shared/json.ts';
import { useForm, useInput } from './field-frame.tsx';
import type { BooleanField, ChoiceField, ChoicesField } from './field.ts';

/** Selects one of several values. */
export function ChoiceInput({ field }: { field: ChoiceField }) {
  const { setValue } = useForm();
  const attributes = useInput(field);
  const { options, index, required, defaultValue, path } = field;
  const [only] = options;
  if (options.length === 1 && index === 0 && required && only !== undefined) {
    return <code class="fixed">{only.label}</code>;
  }
  const named = options.find(({ value }) => defaultValue !== undefined && jsonEquals(value, defaultValue));
  const unset =
    defaultValue === undefined
      ? required
        ? 'choose …'
        : 'not sent'
      : `default: ${named?.label ?? JSON.stringify(defaultValue)}`;
  return (
    <select
      {...attributes}
      class="input"
      value={String(index)}
      onChange={(event) => setValue(path, options[Number(event.currentTarget.value)]?.value)}
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

/** Selects several values. */
export function ChoicesInput({ field }: { field: ChoicesField }) {
  const { setValue } = useForm();
  const { id } = useInput(field);
  const chosen = (field.value ?? []) as readonly Json[];
  const byDefault =
    field.value === undefined && Array.isArray(field.defaultValue) ? (field.defaultValue as Json[]) : [];
  const defaults = field.options.filter(({ value }) => byDefault.some((each) => jsonEquals(each, value)));
  return (
    <div class="line choices" role="group" id={id} aria-labelledby={`${id}-label`}>
      {field.options.map(({ value, label }, index) => {
        const isChosen = chosen.some((each) => jsonEquals(each, value));
        return (
          <label key={index}>
            <input
              type="checkbox"
              checked={isChosen}
              onChange={() =>
                setValue(field.path, isChosen ? chosen.filter((each) => !jsonEquals(each, value)) : [...chosen, value])
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

/** True, false or, if optional, unset. */
export function BooleanInput({ field }: { field: BooleanField }) {
  const { setValue } = useForm();
  const { id, ...attributes } = useInput(field);
  const { value, required, defaultValue, path } = field;
  const unset = defaultValue === undefined ? 'not sent' : `default: ${JSON.stringify(defaultValue)}`;
  const states: readonly (readonly [state: boolean | undefined, word: string])[] = [
    [true, 'true'],
    [false, 'false'],
    ...(required ? [] : ([[undefined, unset]] as const)),
  ];
  return (
    <div class="switch" role="radiogroup" id={id} aria-labelledby={`${id}-label`} {...attributes}>
      {states.map(([state, word]) => (
        <label key={word} class={value === state ? 'is-chosen' : ''}>
          <input
            type="radio"
            class="hidden"
            name={id}
            checked={value === state}
            onChange={() => setValue(path, state)}
          />
          {word}
        </label>
      ))}
    </div>
  );
}
