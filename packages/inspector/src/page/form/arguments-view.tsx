import type { Signal } from '@preact/signals';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../shared/calls.ts';
import type { Connection } from '../../shared/connections.ts';
import { type Json, jsonEquals, parsePointer, type Path, recordOrEmpty, valueAt } from '../../shared/json.ts';
import type { RequestBody } from '../../shared/requests.ts';
import { Tabs } from '../components/controls.tsx';
import { useTabState } from '../components/use-tab-state.ts';
import { JsonTree } from '../content/json-tree.tsx';
import { request } from '../model/api.ts';
import { type Draft, withText } from '../model/drafts.ts';
import { replaceRoute, route } from '../model/route.ts';
import type { FormContext } from './field-frame.tsx';
import { JsonDraft } from './json-editor.tsx';
import { SchemaForm } from './schema-form.tsx';

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
      {problems.map(({ path, message }) => (
        <li key={`${path} ${message}`} class="bad">
          {path === '' ? null : <code>{path} </code>}
          {message}
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

// Debounces validation while typing.
const debounceMs = 150;

/** Validation state of a value. */
interface ValidationState {
  readonly problems: readonly Problem[];
  /** Number of problems of the current value; 0 while it is being validated. */
  readonly currentProblems: number;
}

/** Validates a value on the inspector server whenever it changes. */
export function useValidation(schema: unknown, value: Json | undefined): ValidationState {
  const [{ problems, of }, setFound] = useState<{ problems: readonly Problem[]; of?: Json | undefined }>({
    problems: [],
  });
  useEffect(() => {
    if (schema === undefined) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      check(schema, value)
        .then((found) => isCurrent && setFound({ problems: found, of: value }))
        // Without validation the server itself reports problems.
        .catch(() => isCurrent && setFound({ problems: [] }));
    }, debounceMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [schema, value]);
  // Problems of an older value must not block the call.
  return { problems, currentProblems: of === value ? problems.length : 0 };
}

async function check(schema: unknown, value: Json | undefined): Promise<readonly Problem[]> {
  const found = await request('check', { schema, value: value ?? {} });
  return 'problems' in found ? found.problems : [];
}

/** Groups problems by path. */
function groupByPath(problems: readonly Problem[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { path, message } of problems) groups.set(path, [...(groups.get(path) ?? []), message]);
  return groups;
}

/** Completes arguments of a prompt or template, if the server supports it. */
export function useCompleter(
  connection: Connection,
  ref: RequestBody<'complete'>['ref'],
  draft: Signal<Draft>,
): NonNullable<FormContext['complete']> {
  const values = textsOf(draft.value.value);
  return useCallback(
    async (path: Path, text: string): Promise<readonly string[]> => {
      if (connection.status.is !== 'connected' || !('completions' in (connection.server?.capabilities ?? {})))
        return [];
      const name = String(path.at(-1));
      const { [name]: _, ...others } = values;
      const context = Object.keys(others).length === 0 ? {} : { context: { arguments: others } };
      const argument = { name, value: text };
      return (await request('complete', { connection: connection.id, ref, argument, ...context })).values;
    },
    [connection.id, JSON.stringify(ref), JSON.stringify(values)],
  );
}

/** String properties of a value. */
export function textsOf(value: Json | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(recordOrEmpty(value)).flatMap(([name, each]) => (typeof each === 'string' ? [[name, each]] : [])),
  );
}
