import { useMemo, useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import { isRecord, stringOrEmpty } from '../../shared/json.ts';
import { ArgumentsView, useCompleter, useValidation } from '../form/arguments-view.tsx';
import { draftKey, getDraft } from '../model/drafts.ts';
import type { Entry } from '../model/entries.ts';
import { CallButton, CallResults, type CallTarget, useCalls } from './call-panel.tsx';
import { EntryHeader } from './entry-header.tsx';

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
  const complete = useCompleter(connection, { type: 'ref/prompt', name: id }, draft);
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
      <CallResults calls={calls} />
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
