import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Problem } from '../../shared/calls.ts';
import { type Draft, withText } from '../form/draft.ts';
import type { FormContext } from '../form/form-context.ts';
import { type Json, sameJson, stepsOf, valueAt } from '../form/json.ts';
import { JsonDraft } from '../form/json-editor.tsx';
import { SchemaForm } from '../form/schema-form.tsx';
import { amend, place } from '../model/route.ts';
import { JsonTree } from '../result/json-tree.tsx';
import { Tabs } from '../components/tabs.tsx';
import { useKept } from '../components/use-tab-state.ts';
import { byPlace } from './use-validation.ts';

type View = 'form' | 'json' | 'schema';

/** Arguments as a form and as JSON, always both; and the schema that they follow. */
export function ArgumentsView({
  id,
  draft,
  schema,
  output,
  problems,
  isTried,
  complete,
  isInAddress = true,
}: {
  id: string;
  draft: Signal<Draft>;
  schema: unknown;
  output?: unknown;
  problems: readonly Problem[];
  /** Whether it was called: before that, nobody is told that something is still missing. */
  isTried: boolean;
  complete?: FormContext['complete'];
  isInAddress?: boolean;
}) {
  const [view, setView] = useKept<View>(`arguments ${id}`, 'form');
  useArgumentsInAddress(draft, isInAddress);
  const { value } = draft.value;
  const shown = isTried
    ? problems
    : problems.filter(({ path }) => path !== '' && valueAt(value, stepsOf(path)) !== undefined);
  return (
    <section class="arguments" aria-label="Arguments">
      <Tabs
        label="Arguments as"
        names={[
          ['form', 'Form'],
          ['json', 'JSON'],
          ['schema', 'Schema'],
        ]}
        chosen={view}
        onChoose={setView}
      />
      <div class="arguments-body">
        {view === 'form' ? (
          <SchemaForm id={id} schema={schema} draft={draft} problems={byPlace(shown)} complete={complete} />
        ) : null}
        {view === 'json' ? <JsonDraft draft={draft} label="Arguments as JSON" /> : null}
        {view === 'schema' ? (
          <>
            <JsonTree value={schema as Json} depth={3} name="inputSchema" />
            {output === undefined ? null : <JsonTree value={output as Json} depth={3} name="outputSchema" />}
          </>
        ) : null}
        {view === 'form' ? (
          <Elsewhere problems={shown.filter(({ path }) => path === '')} />
        ) : view === 'json' ? (
          <Elsewhere problems={shown} />
        ) : null}
      </div>
    </section>
  );
}

function Elsewhere({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul class="small">
      {problems.map(({ path, says }) => (
        <li key={`${path} ${says}`} class="bad">
          {path === '' ? null : <code>{path} </code>}
          {says}
        </li>
      ))}
    </ul>
  );
}

// The address follows what is typed, but not at each key.
const pause = 300;

/** Arguments that stand in the address are filled in, and what is filled in stands in the address. */
function useArgumentsInAddress(draft: Signal<Draft>, isInAddress: boolean): void {
  useEffect(() => {
    const { args } = place.value;
    if (args === undefined || !isInAddress) return;
    const given = withText(draft.value, args);
    if (given.mistake === undefined && !sameJson(given.value, draft.value.value)) {
      draft.value = withText(given, JSON.stringify(given.value, undefined, 2));
    }
  }, [draft]);
  const { value, mistake } = draft.value;
  useEffect(() => {
    if (mistake !== undefined || !isInAddress) return;
    const timer = setTimeout(() => {
      const args = value === undefined || sameJson(value, {}) ? undefined : JSON.stringify(value);
      if (args !== place.value.args) amend({ ...place.value, args });
    }, pause);
    return () => clearTimeout(timer);
  }, [value, mistake]);
}
