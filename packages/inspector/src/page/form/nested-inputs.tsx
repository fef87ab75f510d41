import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import type { Json } from '../../shared/json.ts';
import { Button, Select } from '../components/controls.tsx';
import { useForm } from './field-frame.tsx';
import type { Field, ListField, ObjectField, UnionField } from './field.ts';
import { initialValue, newEntryValue } from './initial-value.ts';

/** Fields of an object, with an input for additional properties. */
export function ObjectInput({
  field,
  isTop,
  view: View,
}: {
  field: ObjectField;
  isTop: boolean;
  view: FunctionComponent<{ field: Field }>;
}) {
  const { setValue, isLocked } = useForm();
  if (!field.open) {
    return (
      <Button class="quiet small" disabled={isLocked} onClick={() => setValue(field.path, {})}>
        + fill in
      </Button>
    );
  }
  return (
    <div class={isTop ? 'fields' : 'fields nested'}>
      {field.fields.map((each) => (
        <View key={String(each.path.at(-1))} field={each} />
      ))}
      {field.additional === false ? null : <NewName field={field} />}
    </div>
  );
}

function NewName({ field: { path, additional, fields } }: { field: ObjectField }) {
  const { setValue, root, isLocked } = useForm();
  const [name, setName] = useState('');
  const isTaken = fields.some((each) => each.path.at(-1) === name);
  const add = () => {
    if (name === '' || isTaken) return;
    setValue([...path, name], newEntryValue(additional, root));
    setName('');
  };
  return (
    <div class="line tight new-name">
      <input
        class="input mono short"
        placeholder="property name"
        aria-label="Name of a new property"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          add();
        }}
      />
      <Button class="quiet small" disabled={isLocked || name === '' || isTaken} onClick={add}>
        + add
      </Button>
    </div>
  );
}

/** Entries of a list, which can be moved, removed and added. */
export function ListInput({
  field,
  view: View,
}: {
  field: ListField;
  view: FunctionComponent<{ field: Field; isTop?: boolean }>;
}) {
  const { setValue, root, isLocked } = useForm();
  const { path, items, item, canGrow } = field;
  const entries = (field.value ?? []) as readonly Json[];
  const move = (from: number, to: number) => {
    const moved = [...entries];
    const [entry] = moved.splice(from, 1);
    if (entry !== undefined) moved.splice(to, 0, entry);
    setValue(path, moved);
  };
  return (
    <div class="entries">
      {items.map((each, index) => (
        <div class="entry" key={index}>
          <View field={each} />
          <span class="entry-ends">
            <Button
              class="quiet small"
              aria-label={`Move entry ${index + 1} up`}
              disabled={isLocked || index === 0}
              onClick={() => move(index, index - 1)}
            >
              ↑
            </Button>
            <Button
              class="quiet small"
              aria-label={`Remove entry ${index + 1}`}
              disabled={isLocked}
              onClick={() => setValue([...path, index], undefined)}
            >
              ×
            </Button>
          </span>
        </div>
      ))}
      {canGrow ? (
        <Button
          class="quiet small"
          disabled={isLocked}
          onClick={() => setValue(path, [...entries, newEntryValue(item, root)])}
        >
          + add
        </Button>
      ) : null}
    </div>
  );
}

/** Branch selector of a union, with the fields of the branch. */
export function UnionInput({
  field,
  view: View,
}: {
  field: UnionField;
  view: FunctionComponent<{ field: Field; isBare?: boolean }>;
}) {
  const { chooseBranch, root, isLocked } = useForm();
  const { path, branches, branch, inner } = field;
  return (
    <div class="union">
      <Select
        class="input short"
        aria-label={`Kind of ${field.label === '' ? 'value' : field.label}`}
        disabled={isLocked}
        value={branch}
        options={branches.map((name, index) => [index, name])}
        onChange={(to) => {
          const schema = ((field.schema.anyOf ?? field.schema.oneOf) as unknown[] | undefined)?.[to];
          chooseBranch(path, branch, to, schema === undefined ? undefined : initialValue(schema, root, 1));
        }}
      />
      <View field={inner} isBare />
    </div>
  );
}
