import type { Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type Draft, withBranch, withField } from './draft.ts';
import { FieldView } from './field-view.tsx';
import { fieldsOf } from './fields-of.ts';
import { Form, type FormContext } from './form-context.ts';

/** The form for a schema: a view of a draft, beside its JSON. */
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
  const { value, choices, mistake } = draft.value;
  const field = useMemo(() => fieldsOf(schema, value, choices), [schema, value, choices]);
  const context: FormContext = {
    id,
    root: schema,
    problems,
    isLocked: mistake !== undefined,
    put: (path, put) => (draft.value = withField(draft.value, path, put)),
    choose: (path, from, to, fresh) => (draft.value = withBranch(draft.value, path, from, to, fresh)),
    complete,
  };
  return (
    <Form.Provider value={context}>
      {mistake === undefined ? null : (
        <div class="box note-box" role="alert">
          The JSON can't be read, so the form waits: {mistake}. Mend it under JSON; nothing is lost.
        </div>
      )}
      <fieldset class="schema-form" disabled={mistake !== undefined}>
        <legend class="hidden">Arguments</legend>
        {field.kind === 'object' && field.fields.length === 0 && field.more === false ? (
          <p class="dim">Takes no arguments.</p>
        ) : (
          <FieldView field={field} isTop />
        )}
      </fieldset>
    </Form.Provider>
  );
}
