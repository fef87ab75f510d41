import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import type { Field, ObjectField, ListField, UnionField } from '../field.ts';
import { newEntry, firstValue } from '../initial-value.ts';
import { useForm } from '../form-context.ts';
import type { Json } from '../json.ts';

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

/** A list: its entries, which can be moved and taken out, and a way to add one. */
export function ListInput({
  field,
  view: View,
}: {
  field: ListField;
  view: FunctionComponent<{ field: Field; isTop?: boolean }>;
}) {
  const { put, root, isLocked } = useForm();
  const { path, items, item, canGrow } = field;
  const entries = (field.value ?? []) as readonly Json[];
  const move = (from: number, to: number) => {
    const moved = [...entries];
    const [entry] = moved.splice(from, 1);
    if (entry !== undefined) moved.splice(to, 0, entry);
    put(path, moved);
  };
  return (
    <div class="entries">
      {items.map((each, index) => (
        <div class="entry" key={index}>
          <View field={each} />
          <span class="entry-ends">
            <button
              type="button"
              class="quiet small"
              aria-label={`Move entry ${index + 1} up`}
              disabled={isLocked || index === 0}
              onClick={() => move(index, index - 1)}
            >
              ↑
            </button>
            <button
              type="button"
              class="quiet small"
              aria-label={`Take out entry ${index + 1}`}
              disabled={isLocked}
              onClick={() => put([...path, index], undefined)}
            >
              ×
            </button>
          </span>
        </div>
      ))}
      {canGrow ? (
        <button
          type="button"
          class="quiet small"
          disabled={isLocked}
          onClick={() => put(path, [...entries, newEntry(item, root)])}
        >
          + add
        </button>
      ) : null}
    </div>
  );
}

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
