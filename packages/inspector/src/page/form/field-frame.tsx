import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { formatPointer, type Json, type Path } from '../../shared/json.ts';
import { Button } from '../components/controls.tsx';
import { formatCount } from '../components/format.ts';
import type { Field } from './field.ts';
import { newEntryValue } from './initial-value.ts';

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
  const info =
    description === undefined && facts === '' ? null : (
      <p class="dim small field-description" id={`${id}${pointer}-words`}>
        {description === undefined ? null : <span>{description}</span>}
        {facts === '' ? null : <span class="field-constraints">{facts}</span>}
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
        {tall ? info : null}
        {extra === true ? <span class="dim small"> not in the schema</span> : null}
      </div>
      <div class="field-body">
        {children}
        {wrong.map((message) => (
          <p class="bad small" role="alert" id={`${id}${pointer}-problem`} key={message}>
            {message}
          </p>
        ))}
        {tall ? null : info}
      </div>
      <div class="field-end">
        {nullable ? (
          <Button
            class="quiet small"
            aria-pressed={kind === 'null'}
            aria-label={kind === 'null' ? `Set a value for ${name}` : `null for ${name}`}
            disabled={isLocked}
            onClick={() => setValue(path, kind === 'null' ? newEntryValue(field.schema, root) : null)}
          >
            {kind === 'null' ? 'set' : 'null'}
          </Button>
        ) : null}
        {canLeave ? (
          <Button
            class="quiet small"
            aria-label={`Omit ${name}`}
            title="Omit"
            disabled={isLocked}
            onClick={() => setValue(path, undefined)}
          >
            ×
          </Button>
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

/** State shared by the fields of a form. */
export interface FormContext {
  /** Prefix of input ids. */
  readonly id: string;
  /** The root schema, which `$ref` resolves against. */
  readonly root: unknown;
  /** Problems by JSON pointer. */
  readonly problems: ReadonlyMap<string, readonly string[]>;
  readonly isLocked: boolean;
  setValue(path: Path, value: Json | undefined): void;
  chooseBranch(path: Path, from: number, to: number, fresh: Json | undefined): void;
  /** Completes a text, if the server supports it. */
  readonly complete?: ((path: Path, text: string) => Promise<readonly string[]>) | undefined;
}

export const Form = createContext<FormContext | undefined>(undefined);

/** The enclosing form. */
export function useForm(): FormContext {
  const form = useContext(Form);
  if (form === undefined) throw new Error('A field stands outside of a form');
  return form;
}

const maxPatternLength = 60;

/** Describes the constraints of a schema in a few words. */
export function describeConstraints({ kind, schema }: Field): string {
  switch (kind) {
    case 'number':
      return joinParts([
        formatRange(schema.minimum, schema.maximum, ''),
        ...formatExclusiveBounds(schema),
        formatStep(schema.multipleOf),
      ]);
    case 'text':
      return joinParts([formatRange(schema.minLength, schema.maxLength, 'characters'), formatPattern(schema.pattern)]);
    case 'list':
    case 'choices':
      return joinParts([
        formatRange(schema.minItems, schema.maxItems, 'entries'),
        kind === 'list' && schema.uniqueItems === true ? 'unique' : '',
      ]);
    default:
      return '';
  }
}

function joinParts(facts: readonly string[]): string {
  return facts.filter(Boolean).join(', ');
}

const singular = { '': '', characters: 'character', entries: 'entry' } as const;

function formatRange(least: unknown, most: unknown, unit: keyof typeof singular): string {
  const last = most ?? least;
  const of = unit === '' ? '' : ` ${last === 1 ? singular[unit] : unit}`;
  // A minimum length of 0 is no constraint.
  const from = typeof least === 'number' && (least !== 0 || unit === '') ? formatCount(least) : undefined;
  const to = typeof most === 'number' ? formatCount(most) : undefined;
  if (from !== undefined && to !== undefined) return from === to ? `${from}${of}` : `${from} to ${to}${of}`;
  return from === undefined ? (to === undefined ? '' : `at most ${to}${of}`) : `at least ${from}${of}`;
}

function formatExclusiveBounds({ exclusiveMinimum, exclusiveMaximum }: Field['schema']): readonly string[] {
  return [
    typeof exclusiveMinimum === 'number' ? `more than ${formatCount(exclusiveMinimum)}` : '',
    typeof exclusiveMaximum === 'number' ? `less than ${formatCount(exclusiveMaximum)}` : '',
  ];
}

function formatStep(step: unknown): string {
  return typeof step === 'number' && step !== 1 ? `in steps of ${step}` : '';
}

function formatPattern(pattern: unknown): string {
  return typeof pattern === 'string' && pattern.length <= maxPatternLength ? `like ${pattern}` : '';
}
