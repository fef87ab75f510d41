import type { ChoicesField } from '../field.ts';
import { useInput } from '../field-frame.tsx';
import { useForm } from '../form-context.ts';
import { type Json, sameJson } from '../json.ts';

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
