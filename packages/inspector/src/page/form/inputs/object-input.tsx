import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import type { Field, ObjectField } from '../field.ts';
import { newEntry } from '../first-value.ts';
import { useForm } from '../form-context.ts';

/** An object: its fields, and where more may stand in it, a way to add them. */
export function ObjectInput({
  field,
  isTop,
  view: View,
}: {
  field: ObjectField;
  isTop: boolean;
  view: FunctionComponent<{ field: Field }>;
}) {
  const { put, isLocked } = useForm();
  if (!field.open) {
    return (
      <button type="button" class="quiet small" disabled={isLocked} onClick={() => put(field.path, {})}>
        + fill in
      </button>
    );
  }
  return (
    <div class={isTop ? 'fields' : 'fields nested'}>
      {field.fields.map((each) => (
        <View key={String(each.path.at(-1))} field={each} />
      ))}
      {field.more === false ? null : <NewName field={field} />}
    </div>
  );
}

function NewName({ field: { path, more, fields } }: { field: ObjectField }) {
  const { put, root, isLocked } = useForm();
  const [name, setName] = useState('');
  const isTaken = fields.some((each) => each.path.at(-1) === name);
  const add = () => {
    if (name === '' || isTaken) return;
    put([...path, name], newEntry(more, root));
    setName('');
  };
  return (
    <div class="line tight new-name">
      <input
        class="input mono short"
        placeholder="another name"
        aria-label="Name of another entry"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          add();
        }}
      />
      <button type="button" class="quiet small" disabled={isLocked || name === '' || isTaken} onClick={add}>
        + add
      </button>
    </div>
  );
}
