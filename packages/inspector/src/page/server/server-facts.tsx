import type { Connection, ServerFacts as Facts } from '../../shared/connections.ts';
import { JsonTree } from '../result/json-tree.tsx';
import type { Json } from '../form/json.ts';
import { Markdown } from '../result/markdown.tsx';
import { LogLevel } from './log-level.tsx';
import { Roots } from './roots.tsx';

/** What a server says of itself. */
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
