import type { FunctionComponent } from 'preact';
import type { Field, ListField } from '../field.ts';
import { newEntry } from '../first-value.ts';
import { useForm } from '../form-context.ts';
import type { Json } from '../json.ts';

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
