import type { Connection, ServerFacts as Facts } from '../../shared/connections.ts';
import { JsonTree } from '../result/json-tree.tsx';
import type { Json } from '../form/json.ts';
import { Markdown } from '../result/markdown.tsx';
import { useAppState } from '../model/store.ts';
import { request } from '../model/api.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { useRequest } from '../components/use-request.ts';
import { useState } from 'preact/hooks';

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
        <select
          id="log-level"
          class="input"
          disabled={pending.busy || connection.status.is !== 'connected'}
          value={connection.terms.logLevel ?? ''}
          onChange={(event) => {
            const level = event.currentTarget.value;
            if (level !== '') pending.run(() => request('set-log-level', { connection: connection.id, level }));
          }}
        >
          <option value="">server default</option>
          {levels.map((level) => (
            <option key={level}>{level}</option>
          ))}
        </select>
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
        {warnings.map(([says, count]) => (
          <li key={says} class="line">
            <span class="note mark">▲</span>
            <span class="grow">{says}</span>
            {count === 1 ? null : <span class="dim small">{count} times</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Edits the client's roots, which the server requests with `roots/list`. */
function Roots({ connection }: { connection: Connection }) {
  const before = (connection.terms.roots ?? []).map(({ uri }) => uri).join('\n');
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
        <button
          type="button"
          class="button"
          disabled={pending.busy || text === before || connection.status.is !== 'connected'}
          onClick={() => pending.run(() => request('set-roots', { connection: connection.id, roots }))}
        >
          Update
        </button>
        <ProblemBox error={pending.error} />
      </dd>
    </>
  );
}
