import { useCallback, useMemo, useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import { draftKey } from '../replay/replay.ts';
import { isRecord, type Path } from '../form/json.ts';
import { draftFor } from '../model/drafts.ts';
import type { Entry } from '../model/entries.ts';
import { ArgumentsView } from './arguments-view.tsx';
import { type Callable, CallButton, CallResults, useCalls } from './call-panel.tsx';
import { completer } from './completer.ts';
import { EntryHead } from './entry-header.tsx';
import { textsOf } from './resource-page.tsx';
import { useProblems } from './use-validation.ts';
import { textOf } from '../form/json.ts';

/** A prompt: its arguments, and the messages that it makes of them. */
export function PromptPage({ connection, entry }: { connection: Connection; entry: Entry }) {
  const { id, raw } = entry;
  const schema = useMemo(() => promptSchema(raw.arguments), [raw]);
  const draft = useMemo(() => draftFor(draftKey(connection.label, 'prompts', id), () => ({})), []);
  const [isTried, setTried] = useState(false);
  const { value, mistake } = draft.value;
  const { problems, obstacles } = useProblems(schema, value);
  const callable: Callable = {
    connection,
    method: 'prompts/get',
    subject: id,
    params: { name: id, arguments: value ?? {} },
    verb: 'Get',
    obstacle: mistake === undefined ? undefined : 'The JSON can’t be read.',
    problems: obstacles,
    onTried: () => setTried(true),
  };
  const calls = useCalls(callable);
  const complete = useCallback(
    (path: Path, text: string) =>
      completer(connection, { type: 'ref/prompt', name: id })(path, text, textsOf(draft.value.value)),
    [connection.id, id, JSON.stringify(textsOf(draft.value.value))],
  );
  return (
    <article class="detail">
      <EntryHead entry={entry} button={<CallButton verb="Get" calls={calls} />} />
      <ArgumentsView
        id="arguments"
        draft={draft}
        schema={schema}
        problems={problems}
        isTried={isTried}
        complete={complete}
      />
      <CallResults calls={calls} callable={callable} />
    </article>
  );
}

function promptSchema(given: unknown): unknown {
  const listed = Array.isArray(given) ? given.filter(isRecord) : [];
  return {
    type: 'object',
    properties: Object.fromEntries(
      listed.map(({ name, title, description }) => [
        textOf(name),
        {
          type: 'string',
          ...(typeof title === 'string' && { title }),
          ...(typeof description === 'string' && { description }),
        },
      ]),
    ),
    required: listed.filter(({ required }) => required === true).map(({ name }) => textOf(name)),
    additionalProperties: false,
  };
}
