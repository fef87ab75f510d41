import { useCallback, useMemo, useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import { draftKey } from '../replay/replay.ts';
import { isRecord, type Path } from '../form/json.ts';
import { getDraft } from '../model/drafts.ts';
import type { Entry } from '../model/entries.ts';
import { ArgumentsView } from './arguments-view.tsx';
import { type CallTarget, CallButton, CallResults, useCalls } from './call-panel.tsx';
import { createCompleter } from './completer.ts';
import { EntryHeader } from './entry-header.tsx';
import { textsOf } from './resource-page.tsx';
import { useValidation } from './use-validation.ts';
import { stringOrEmpty } from '../form/json.ts';

/** A prompt: its arguments, and the messages it returns. */
export function PromptPage({ connection, entry }: { connection: Connection; entry: Entry }) {
  const { id, raw } = entry;
  const schema = useMemo(() => promptSchema(raw.arguments), [raw]);
  const draft = useMemo(() => getDraft(draftKey(connection.label, 'prompts', id), () => ({})), []);
  const [isTried, setTried] = useState(false);
  const { value, parseError } = draft.value;
  const { problems, currentProblems } = useValidation(schema, value);
  const callable: CallTarget = {
    connection,
    method: 'prompts/get',
    subject: id,
    params: { name: id, arguments: value ?? {} },
    verb: 'Get',
    blockedBy: parseError === undefined ? undefined : 'The JSON is invalid.',
    problems: currentProblems,
    onAttempt: () => setTried(true),
  };
  const calls = useCalls(callable);
  const complete = useCallback(
    (path: Path, text: string) =>
      createCompleter(connection, { type: 'ref/prompt', name: id })(path, text, textsOf(draft.value.value)),
    [connection.id, id, JSON.stringify(textsOf(draft.value.value))],
  );
  return (
    <article class="detail">
      <EntryHeader entry={entry} button={<CallButton verb="Get" calls={calls} />} />
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
        stringOrEmpty(name),
        {
          type: 'string',
          ...(typeof title === 'string' && { title }),
          ...(typeof description === 'string' && { description }),
        },
      ]),
    ),
    required: listed.filter(({ required }) => required === true).map(({ name }) => stringOrEmpty(name)),
    additionalProperties: false,
  };
}
