import type { Signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import { isRecord, recordOrEmpty } from '../../shared/json.ts';
import { AppPanel, RecordedApp } from '../apps/app-panel.tsx';
import { Checkbox } from '../components/controls.tsx';
import { ArgumentsView, useValidation } from '../form/arguments-view.tsx';
import { initialValue } from '../form/initial-value.ts';
import { createDraft, type Draft, draftKey, getDraft, getTaskOption } from '../model/drafts.ts';
import { type Entry, isHiddenFromModels, toolViewUri } from '../model/entries.ts';
import { openedRecording } from '../model/route.ts';
import { CallButton, CallResults, type CallTarget, useCalls } from './call-panel.tsx';
import { type Badge, EntryHeader } from './entry-header.tsx';

/** A tool: description, arguments, calls. */
export function ToolPage({ connection, entry }: { connection: Connection; entry: Entry }) {
  const { id, raw } = entry;
  const schema = raw.inputSchema ?? { type: 'object' };
  const key = draftKey(connection.label, 'tools', id);
  const draft = useMemo(() => getDraft(key, () => initialValue(schema, schema)), []);
  const taskOption = useMemo(() => getTaskOption(key), []);
  const asTask = canRunAsTask(connection, raw);
  const [isTried, setTried] = useState(false);
  const { value, parseError } = draft.value;
  const { problems, currentProblems } = useValidation(schema, value);
  const callable: CallTarget = {
    connection,
    method: 'tools/call',
    subject: id,
    params: {
      name: id,
      ...(value !== undefined && { arguments: value }),
      ...(asTask && taskOption.value.value === true && { task: {} }),
    },
    verb: 'Call',
    blockedBy: parseError === undefined ? undefined : 'The JSON is invalid.',
    problems: currentProblems,
    onAttempt: () => setTried(true),
  };
  const calls = useCalls(callable);
  return (
    <article class="detail">
      <EntryHeader
        entry={entry}
        marks={[...badgesOf(raw), ...quirkBadge(entry)]}
        button={
          <>
            {asTask ? <TaskOption option={taskOption} /> : null}
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
        view={
          toolViewUri(raw) === undefined
            ? undefined
            : openedRecording.value === undefined
              ? (call) => <AppPanel connection={connection} entry={entry} call={call} />
              : (call) => <RecordedApp connection={connection} entry={entry} call={call} />
        }
      />
    </article>
  );
}

/** Badges from a tool's annotations. They are hints of an untrusted author. */
function badgesOf(raw: Readonly<Record<string, unknown>>): readonly Badge[] {
  const { annotations, execution } = raw;
  const hints = recordOrEmpty(annotations);
  const marks: Badge[] = [];
  if (hints.readOnlyHint === true) marks.push(['reads only', '', 'The author declares it read-only']);
  else if (hints.destructiveHint === true)
    marks.push(['destroys', 'bad', 'The author declares that it may delete or overwrite data']);
  else if (hints.readOnlyHint === false) marks.push(['writes', 'note', 'The author declares that it changes data']);
  if (hints.idempotentHint === true)
    marks.push([
      'idempotent',
      '',
      'The author declares that repeated calls with the same arguments have no further effect',
    ]);
  if (hints.openWorldHint === true)
    marks.push(['open world', '', 'The author declares that it interacts with external systems, such as the web']);
  if (isRecord(execution) && typeof execution.taskSupport === 'string' && execution.taskSupport !== 'forbidden') {
    const word = execution.taskSupport === 'required' ? 'runs as a task' : 'may run as a task';
    marks.push([word, '', 'It keeps running after its response, and its status is polled']);
  }
  if (toolViewUri(raw) !== undefined) marks.push(['has a view', '', 'The server provides a view for its result']);
  if (isHiddenFromModels(raw)) marks.push(['for views only', '', 'Hidden from models; a view may call it']);
  return marks;
}

/** A badge for the clients that have trouble with the name or a schema of a tool. */
function quirkBadge({ quirks }: Entry): readonly Badge[] {
  if (quirks.length === 0) return [];
  const { size } = new Set(quirks.map(({ client }) => client));
  const means = quirks.map(({ client, summary, source }) => `${client} ${summary}\n${source}`).join('\n\n');
  return [[`trouble for ${size} client${size === 1 ? '' : 's'}`, 'note', means]];
}

/** Whether the client may choose to run a tool as a task: with a handshake only, else the server decides. */
function canRunAsTask({ server }: Connection, { execution }: Readonly<Record<string, unknown>>): boolean {
  const { requests } = recordOrEmpty(server?.capabilities.tasks);
  const { tools } = recordOrEmpty(requests);
  const takesTasks = server?.era === 'handshake' && isRecord(tools) && isRecord(tools.call);
  return takesTasks && isRecord(execution) && execution.taskSupport === 'optional';
}

/** Checkbox to call a tool as a task. */
function TaskOption({ option }: { option: Signal<Draft> }) {
  return (
    <Checkbox
      class="small"
      label="as a task"
      title="The server responds immediately and keeps working"
      checked={option.value.value === true}
      onChange={(checked) => (option.value = createDraft(checked))}
    />
  );
}
