import type { ChoiceField } from '../field.ts';
import { useInput } from '../field-frame.tsx';
import { useForm } from '../form-context.ts';
import { sameJson } from '../json.ts';

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
