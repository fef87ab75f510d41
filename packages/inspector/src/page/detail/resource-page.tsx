import { useMemo, useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import { Button } from '../components/controls.tsx';
import { formatBytes } from '../components/format.ts';
import { ArgumentsView, textsOf, useCompleter } from '../form/arguments-view.tsx';
import { draftKey, getDraft } from '../model/drafts.ts';
import type { Entry } from '../model/entries.ts';
import { navigate, openedRecording } from '../model/route.ts';
import { formatListenOptions } from '../subscriptions/listen-options.ts';
import { CallButton, CallResults, type CallTarget, useCalls } from './call-panel.tsx';
import { EntryHeader } from './entry-header.tsx';
import { expandTemplate, templateVariables } from './uri-template.ts';

/** A resource template: its variables, the expanded URI, and the resource. */
export function TemplatePage({ connection, entry }: { connection: Connection; entry: Entry }) {
  const { id, raw } = entry;
  const schema = useMemo(() => templateSchema(id), [id]);
  const draft = useMemo(() => getDraft(draftKey(connection.label, 'templates', id), () => ({})), []);
  const [isTried, setTried] = useState(false);
  const texts = textsOf(draft.value.value);
  const uri = expandTemplate(id, texts);
  const missing = schema.required.filter((name) => (texts[name] ?? '') === '');
  const callable: CallTarget = {
    connection,
    method: 'resources/read',
    subject: uri,
    params: { uri },
    verb: 'Read',
    problems: missing.length,
    onAttempt: () => setTried(true),
  };
  const calls = useCalls(callable);
  const complete = useCompleter(connection, { type: 'ref/resource', uri: id }, draft);
  return (
    <article class="detail">
      <EntryHeader
        entry={entry}
        marks={typeof raw.mimeType === 'string' ? [[raw.mimeType, '']] : []}
        button={<CallButton verb="Read" calls={calls} />}
      />
      <ArgumentsView
        id="names"
        draft={draft}
        schema={schema}
        problems={missing.map((name) => ({ path: `/${name}`, message: 'is missing' }))}
        isTried={isTried}
        complete={complete}
      />
      <p class="line">
        <span class="dim">Address</span> <code class="grow">{uri}</code>
      </p>
      <CallResults calls={calls} />
    </article>
  );
}

function templateSchema(template: string): { type: 'object'; properties: Record<string, unknown>; required: string[] } {
  const names = templateVariables(template);
  // Variables in a query or fragment are optional.
  const optional = new Set(
    [...template.matchAll(/\{[?&#]([^{}]+)\}/g)].flatMap(([, list = '']) => templateVariables(`{${list}}`)),
  );
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names.filter((name) => !optional.has(name)),
  };
}

/** A resource: metadata and contents. */
export function ResourcePage({ connection, entry }: { connection: Connection; entry: Entry }) {
  const { id, raw } = entry;
  const callable: CallTarget = { connection, method: 'resources/read', subject: id, params: { uri: id }, verb: 'Read' };
  const calls = useCalls(callable);
  const marks: (readonly [string, string])[] = [];
  if (typeof raw.mimeType === 'string') marks.push([raw.mimeType, '']);
  if (typeof raw.size === 'number') marks.push([formatBytes(raw.size), '']);
  return (
    <article class="detail">
      <EntryHeader entry={entry} marks={marks} button={<CallButton verb="Read" calls={calls} />} />
      {openedRecording.value === undefined ? (
        <div>
          <Button
            class="quiet"
            onClick={() =>
              navigate({
                server: connection.label,
                section: 'listen',
                args: formatListenOptions({ lists: [], uris: id }),
              })
            }
          >
            Listen for changes
          </Button>
        </div>
      ) : null}
      <CallResults calls={calls} />
    </article>
  );
}
