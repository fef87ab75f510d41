import type { ComponentChildren } from 'preact';
import type { Field } from './field.ts';
import { describeConstraints } from './field-constraints.ts';
import { useForm } from './form-context.ts';
import { newEntryValue } from './initial-value.ts';
import { formatPointer } from './json.ts';

/** Label, description and problems of a field, with buttons to omit it or set it to null. */
export function FieldFrame({ field, children }: { field: Field; children: ComponentChildren }) {
  const { id, problems, setValue, root, isLocked } = useForm();
  const { path, label, description, required, nullable, value, kind, extra } = field;
  const pointer = formatPointer(path);
  const wrong = problems.get(pointer) ?? [];
  const name = String(path.at(-1) ?? '');
  const canLeave =
    value !== undefined &&
    !required &&
    kind !== 'boolean' &&
    kind !== 'choice' &&
    !(kind === 'list' && field.items.length > 0);
  const tall = isTall(field);
  const facts = describeConstraints(field);
  const words =
    description === undefined && facts === '' ? null : (
      <p class="dim small field-words" id={`${id}${pointer}-words`}>
        {description === undefined ? null : <span>{description}</span>}
        {facts === '' ? null : <span class="field-facts">{facts}</span>}
      </p>
    );
  return (
    <div class={`field ${tall ? 'tall' : ''} ${wrong.length > 0 ? 'is-wrong' : ''}`}>
      <div class="field-name">
        <label for={`${id}${pointer}`} id={`${id}${pointer}-label`} title={name}>
          {label === name || typeof path.at(-1) === 'number' ? <code>{label}</code> : label}
          {required && typeof path.at(-1) !== 'number' ? (
            <span class="bad" aria-hidden="true">
              {' '}
              *
            </span>
          ) : null}
        </label>
        {tall ? words : null}
        {extra === true ? <span class="dim small"> not in the schema</span> : null}
      </div>
      <div class="field-body">
        {children}
        {wrong.map((says) => (
          <p class="bad small" role="alert" id={`${id}${pointer}-problem`} key={says}>
            {says}
          </p>
        ))}
        {tall ? null : words}
      </div>
      <div class="field-end">
        {nullable ? (
          <button
            type="button"
            class="quiet small"
            aria-pressed={kind === 'null'}
            aria-label={kind === 'null' ? `Set a value for ${name}` : `null for ${name}`}
            disabled={isLocked}
            onClick={() => setValue(path, kind === 'null' ? newEntryValue(field.schema, root) : null)}
          >
            {kind === 'null' ? 'set' : 'null'}
          </button>
        ) : null}
        {canLeave ? (
          <button
            type="button"
            class="quiet small"
            aria-label={`Omit ${name}`}
            title="Omit"
            disabled={isLocked}
            onClick={() => setValue(path, undefined)}
          >
            ×
          </button>
        ) : null}
      </div>
    </div>
  );
}

/** Fields with many children are laid out below their label. */
function isTall(field: Field): boolean {
  return field.kind === 'object' ? field.open : field.kind === 'union' && isTall(field.inner);
}

/** ARIA attributes that link an input to its label and problems. */
export function useInput(field: Field): {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string;
  'aria-required': boolean;
} {
  const { id, problems } = useForm();
  const pointer = formatPointer(field.path);
  const isWrong = (problems.get(pointer)?.length ?? 0) > 0;
  return {
    id: `${id}${pointer}`,
    'aria-invalid': isWrong,
    'aria-describedby': `${id}${pointer}-problem ${id}${pointer}-words`,
    'aria-required': field.required,
  };
}
