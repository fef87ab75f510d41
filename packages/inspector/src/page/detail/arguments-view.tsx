import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Problem } from '../../shared/calls.ts';
import { type Draft, withText } from '../form/draft.ts';
import type { FormContext } from '../form/form-context.ts';
import { type Json, jsonEquals, parsePointer, valueAt } from '../form/json.ts';
import { JsonDraft } from '../form/json-editor.tsx';
import { SchemaForm } from '../form/schema-form.tsx';
import { replaceRoute, route } from '../model/route.ts';
import { JsonTree } from '../result/json-tree.tsx';
import { Tabs } from '../components/tabs.tsx';
import { useTabState } from '../components/use-tab-state.ts';
import { groupByPath } from './use-validation.ts';

type View = 'form' | 'json' | 'schema';

/** Edits arguments as a form or as JSON, and shows the schema. */
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
  /** Whether it was called: missing values are reported only after the first attempt. */
  isTried: boolean;
  complete?: FormContext['complete'];
  isInAddress?: boolean;
}) {
  const [view, setView] = useTabState<View>(`arguments ${id}`, 'form');
  useArgumentsInRoute(draft, isInAddress);
  const { value } = draft.value;
  const shown = isTried
    ? problems
    : problems.filter(({ path }) => path !== '' && valueAt(value, parsePointer(path)) !== undefined);
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
          <SchemaForm id={id} schema={schema} draft={draft} problems={groupByPath(shown)} complete={complete} />
        ) : null}
        {view === 'json' ? <JsonDraft draft={draft} label="Arguments as JSON" /> : null}
        {view === 'schema' ? (
          <>
            <JsonTree value={schema as Json} depth={3} name="inputSchema" />
            {output === undefined ? null : <JsonTree value={output as Json} depth={3} name="outputSchema" />}
          </>
        ) : null}
        {view === 'form' ? (
          <ProblemList problems={shown.filter(({ path }) => path === '')} />
        ) : view === 'json' ? (
          <ProblemList problems={shown} />
        ) : null}
      </div>
    </section>
  );
}

function ProblemList({ problems }: { problems: readonly Problem[] }) {
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

// Debounces updates of the URL while typing.
const routeDelayMs = 300;

/** Keeps arguments and URL in sync. */
function useArgumentsInRoute(draft: Signal<Draft>, isInAddress: boolean): void {
  useEffect(() => {
    const { args } = route.value;
    if (args === undefined || !isInAddress) return;
    const given = withText(draft.value, args);
    if (given.parseError === undefined && !jsonEquals(given.value, draft.value.value)) {
      draft.value = withText(given, JSON.stringify(given.value, undefined, 2));
    }
  }, [draft]);
  const { value, parseError } = draft.value;
  useEffect(() => {
    if (parseError !== undefined || !isInAddress) return;
    const timer = setTimeout(() => {
      const args = value === undefined || jsonEquals(value, {}) ? undefined : JSON.stringify(value);
      if (args !== route.value.args) replaceRoute({ ...route.value, args });
    }, routeDelayMs);
    return () => clearTimeout(timer);
  }, [value, parseError]);
}
