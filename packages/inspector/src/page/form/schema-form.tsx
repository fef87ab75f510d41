import type { Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type Draft, withBranch, withField } from '../model/drafts.ts';
import { buildFields } from './build-fields.ts';
import { FieldFrame, Form, type FormContext } from './field-frame.tsx';
import type { Field } from './field.ts';
import { BooleanInput, ChoiceInput, ChoicesInput } from './choice-inputs.tsx';
import { ListInput, ObjectInput, UnionInput } from './nested-inputs.tsx';
import { NumberInput, RawInput, TextInput } from './text-inputs.tsx';

/** Form for a schema: a view of a draft. */
export function SchemaForm({
  id,
  schema,
  draft,
  problems,
  complete,
}: {
  id: string;
  schema: unknown;
  draft: Signal<Draft>;
  problems: FormContext['problems'];
  complete?: FormContext['complete'];
}) {
  const { value, choices, parseError } = draft.value;
  const field = useMemo(() => buildFields(schema, value, choices), [schema, value, choices]);
  const context: FormContext = {
    id,
    root: schema,
    problems,
    isLocked: parseError !== undefined,
    setValue: (path, put) => (draft.value = withField(draft.value, path, put)),
    chooseBranch: (path, from, to, fresh) => (draft.value = withBranch(draft.value, path, from, to, fresh)),
    complete,
  };
  return (
    <Form.Provider value={context}>
      {parseError === undefined ? null : (
        <div class="box note-box" role="alert">
          The form is locked because the JSON is invalid: {parseError}. Fix it in the JSON tab; nothing is lost.
        </div>
      )}
      <fieldset class="schema-form" disabled={parseError !== undefined}>
        <legend class="hidden">Arguments</legend>
        {field.kind === 'object' && field.fields.length === 0 && field.additional === false ? (
          <p class="dim">Takes no arguments.</p>
        ) : (
          <FieldView field={field} isTop />
        )}
      </fieldset>
    </Form.Provider>
  );
}

/** A field with its frame; the root of a form and framed fields have none. */
function FieldView({ field, isTop = false, isBare = isTop }: { field: Field; isTop?: boolean; isBare?: boolean }) {
  const inside = <FieldInput field={field} isTop={isTop} />;
  return isBare ? inside : <FieldFrame field={field}>{inside}</FieldFrame>;
}

function FieldInput({ field, isTop }: { field: Field; isTop: boolean }) {
  switch (field.kind) {
    case 'text':
      return <TextInput field={field} />;
    case 'number':
      return <NumberInput field={field} />;
    case 'boolean':
      return <BooleanInput field={field} />;
    case 'choice':
      return <ChoiceInput field={field} />;
    case 'choices':
      return <ChoicesInput field={field} />;
    case 'object':
      return <ObjectInput field={field} isTop={isTop} view={FieldView} />;
    case 'list':
      return <ListInput field={field} view={FieldView} />;
    case 'union':
      return <UnionInput field={field} view={FieldView} />;
    case 'null':
      return <code class="dim">null</code>;
    case 'raw':
      return <RawInput field={field} />;
  }
}
