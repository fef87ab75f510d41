import { useState } from 'preact/hooks';
import type { Connection, ServerFacts as Facts } from '../../shared/connections.ts';
import type { Json } from '../../shared/json.ts';
import { Button, Select } from '../components/controls.tsx';
import { ProblemBox, useRequest } from '../components/use-request.tsx';
import { JsonTree } from '../content/json-tree.tsx';
import { Markdown } from '../content/markdown.tsx';
import { request } from '../model/api.ts';
import { useAppState } from '../model/store.ts';

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Sets the minimum level of the server's log messages. */
function LogLevel({ connection }: { connection: Connection }) {
  const pending = useRequest();
  return (
    <>
      <dt>
        <label for="log-level">Log level</label>
      </dt>
      <dd>
        <Select
          id="log-level"
          disabled={pending.busy || connection.status.is !== 'connected'}
          value={connection.settings.logLevel ?? ''}
          options={[['', 'server default'], ...levels.map((level) => [level, level] as const)]}
          onChange={(level) => {
            if (level !== '') pending.run(() => request('set-log-level', { connection: connection.id, level }));
          }}
        />
        <ProblemBox error={pending.error} />
      </dd>
    </>
  );
}

/** Server info: name, revision, transport, capabilities, instructions. */
export function ServerFacts({ connection, facts }: { connection: Connection; facts: Facts }) {
  const { info, protocolVersion, era, transport, capabilities, instructions, hasSession } = facts;
  return (
    <section class="block" aria-label="Server">
      <h2>{info?.title ?? info?.name ?? 'Server'}</h2>
      <dl class="facts">
        <dt>Name</dt>
        <dd>{info === undefined ? 'not said' : `${info.name} ${info.version}`}</dd>
        <dt>Revision</dt>
        <dd>
          {protocolVersion}, {era === 'handshake' ? 'with a handshake' : 'without a handshake'}
        </dd>
        <dt>Transport</dt>
        <dd>
          {transport}
          {hasSession ? ', in a session' : ''}
        </dd>
        <dt>Capabilities</dt>
        <dd>
          <JsonTree value={capabilities as Json} depth={1} />
        </dd>
        {'logging' in capabilities ? <LogLevel connection={connection} /> : null}
        <Roots connection={connection} />
      </dl>
      {instructions === undefined || instructions === '' ? null : (
        <>
          <h2>Instructions</h2>
          <Markdown text={instructions} />
        </>
      )}
    </section>
  );
}

/** Warnings about a connection: nothing failed, but the author of the server should know. */
export function ServerWarnings({ connection }: { connection: string }) {
  const warnings = [...(useAppState('connections').warnings.get(connection) ?? [])];
  if (warnings.length === 0) return null;
  return (
    <section class="block" aria-label="Warnings">
      <h2>Warnings</h2>
      <ul class="library">
        {warnings.map(([message, count]) => (
          <li key={message} class="line">
            <span class="note mark">▲</span>
            <span class="grow">{message}</span>
            {count === 1 ? null : <span class="dim small">{count} times</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Edits the client's roots, which the server requests with `roots/list`. */
function Roots({ connection }: { connection: Connection }) {
  const before = (connection.settings.roots ?? []).map(({ uri }) => uri).join('\n');
  const [text, setText] = useState(before);
  const pending = useRequest();
  const roots = text
    .split('\n')
    .map((uri) => uri.trim())
    .filter(Boolean)
    .map((uri) => ({ uri }));
  return (
    <>
      <dt>
        <label for="roots">Roots</label>
      </dt>
      <dd class="line">
        <textarea
          id="roots"
          class="input mono grow"
          rows={Math.max(1, text.split('\n').length)}
          placeholder="file:///home/me/project, one per line"
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button
          pending={pending}
          disabled={text === before || connection.status.is !== 'connected'}
          run={() => request('set-roots', { connection: connection.id, roots })}
        >
          Update
        </Button>
        <ProblemBox error={pending.error} />
      </dd>
    </>
  );
}
