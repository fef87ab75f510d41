import { useMemo, useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import { draftKey } from '../replay/replay.ts';
import { AppPanel } from '../apps/app-panel.tsx';
import { RecordedApp } from '../apps/recorded-app.tsx';
import { isOnlyForViews, viewOfTool } from '../apps/tool-view.ts';
import { firstValue } from '../form/initial-value.ts';
import { isRecord } from '../form/json.ts';
import { draftFor } from '../model/drafts.ts';
import type { Entry } from '../model/entries.ts';
import { AsTask, mayBeTask, wishForTask } from '../tasks/task-option.tsx';
import { openedRecording } from '../model/opened-recording.ts';
import { ArgumentsView } from './arguments-view.tsx';
import { type Callable, CallButton, CallResults, useCalls } from './call-panel.tsx';
import { EntryHead, type Mark } from './entry-header.tsx';
import { useProblems } from './use-validation.ts';

/** A tool: what it does, its arguments, its calls. */
export function ToolPage({ connection, entry }: { connection: Connection; entry: Entry }) {
  const { id, raw } = entry;
  const schema = raw.inputSchema ?? { type: 'object' };
  const key = draftKey(connection.label, 'tools', id);
  const draft = useMemo(() => draftFor(key, () => firstValue(schema, schema)), []);
  const wish = useMemo(() => wishForTask(key), []);
  const asTask = mayBeTask(connection, raw);
  const [isTried, setTried] = useState(false);
  const { value, mistake } = draft.value;
  const { problems, obstacles } = useProblems(schema, value);
  const callable: Callable = {
    connection,
    method: 'tools/call',
    subject: id,
    params: {
      name: id,
      ...(value !== undefined && { arguments: value }),
      ...(asTask && wish.value.value === true && { task: {} }),
    },
    verb: 'Call',
    obstacle: mistake === undefined ? undefined : 'The JSON can’t be read.',
    problems: obstacles,
    onTried: () => setTried(true),
  };
  const calls = useCalls(callable);
  return (
    <article class="detail">
      <EntryHead
        entry={entry}
        marks={marksOf(raw)}
        button={
          <>
            {asTask ? <AsTask wish={wish} /> : null}
            <CallButton verb="Call" calls={calls} />
          </>
        }
      />
      <ArgumentsView
        id="arguments"
        draft={draft}
        schema={schema}
        output={raw.outputSchema}
        problems={problems}
        isTried={isTried}
      />
      <CallResults
        calls={calls}
        callable={callable}
        view={
          viewOfTool(raw) === undefined
            ? undefined
            : openedRecording.value === undefined
              ? (call) => <AppPanel connection={connection} entry={entry} call={call} />
              : (call) => <RecordedApp connection={connection} entry={entry} call={call} />
        }
      />
    </article>
  );
}

/** What a tool says of itself. Its hints may be wrong: whoever wrote it may not be trusted. */
function marksOf(raw: Readonly<Record<string, unknown>>): readonly Mark[] {
  const { annotations, execution } = raw;
  const hints = isRecord(annotations) ? annotations : {};
  const marks: Mark[] = [];
  if (hints.readOnlyHint === true) marks.push(['reads only', '', 'Says that it changes nothing']);
  else if (hints.destructiveHint === true) marks.push(['destroys', 'bad', 'Says that it may delete or overwrite']);
  else if (hints.readOnlyHint === false) marks.push(['writes', 'note', 'Says that it changes something']);
  if (hints.idempotentHint === true)
    marks.push([
      'idempotent',
      '',
      'Says that calling it twice with the same arguments does no more than calling it once',
    ]);
  if (hints.openWorldHint === true)
    marks.push(['open world', '', 'Says that it reaches out to things beyond its server, such as the web']);
  if (isRecord(execution) && typeof execution.taskSupport === 'string' && execution.taskSupport !== 'forbidden') {
    const word = execution.taskSupport === 'required' ? 'runs as a task' : 'may run as a task';
    marks.push([word, '', 'It goes on after its answer, and is asked how far it is']);
  }
  if (viewOfTool(raw) !== undefined) marks.push(['has a view', '', 'Its result is shown as its server wants it shown']);
  if (isOnlyForViews(raw)) marks.push(['for views only', '', 'Models are not told of it; a view may call it']);
  return marks;
}
