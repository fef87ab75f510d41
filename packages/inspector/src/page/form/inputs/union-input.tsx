import type { FunctionComponent } from 'preact';
import type { Field, UnionField } from '../field.ts';
import { firstValue } from '../first-value.ts';
import { useForm } from '../form-context.ts';

/** One of several kinds of values: which one, and its fields. */
export function UnionInput({
  field,
  view: View,
}: {
  field: UnionField;
  view: FunctionComponent<{ field: Field; isBare?: boolean }>;
}) {
  const { choose, root, isLocked } = useForm();
  const { path, branches, branch, inner } = field;
  return (
    <div class="union">
      <select
        class="input short"
        aria-label={`Kind of ${field.label === '' ? 'value' : field.label}`}
        disabled={isLocked}
        value={String(branch)}
        onChange={(event) => {
          const to = Number(event.currentTarget.value);
          const schema = ((field.schema.anyOf ?? field.schema.oneOf) as unknown[] | undefined)?.[to];
          choose(path, branch, to, schema === undefined ? undefined : firstValue(schema, root, 1));
        }}
      >
        {branches.map((name, index) => (
          <option key={index} value={String(index)}>
            {name}
          </option>
        ))}
      </select>
      <View field={inner} isBare />
    </div>
  );
}
