import { useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import type { ListKind } from '../../shared/lists.ts';
import { useEntries } from '../model/entries.ts';
import { navigate } from '../model/route.ts';
import { displayName } from '../model/display-name.ts';
import { useAppState } from '../model/store.ts';
import { DiffView } from '../diff/diff-view.tsx';
import type { Json } from '../form/json.ts';
import { formatPair } from '../compare/session-name.ts';

const kinds: readonly ListKind[] = ['tools', 'resources', 'templates', 'prompts'];

/** Compares two connections side by side: two revisions of a server, or two servers. */
export function Comparison({ connection }: { connection: Connection }) {
  const { connections } = useAppState('connections', 'lists');
  const others = [...connections.values()].filter(({ id, server }) => id !== connection.id && server !== undefined);
  const [chosen, setChosen] = useState('');
  const other = others.find(({ id }) => id === chosen);
  if (connection.server === undefined || others.length === 0) return null;
  return (
    <section class="block" aria-label="Comparison">
      <h2>Compare with another connection</h2>
      <div class="line">
        <label for="compare-with" class="dim">
          Compare with
        </label>
        <select
          id="compare-with"
          class="input compare-with"
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          <option value="">…</option>
          {others.map((each) => (
            <option key={each.id} value={each.id}>
              {displayName(each, connections.values())}, {each.server?.protocolVersion}
            </option>
          ))}
        </select>
      </div>
      {other === undefined ? null : (
        <>
          <SideBySide left={connection} right={other} all={[...connections.values()]} />
          <div>
            <button
              type="button"
              class="button"
              onClick={() =>
                navigate({
                  server: '~',
                  section: 'compare',
                  name: formatPair({ label: connection.label }, { label: other.label }),
                })
              }
            >
              Compare both sessions, including calls
            </button>
          </div>
        </>
      )}
    </section>
  );
}

function SideBySide({ left, right, all }: { left: Connection; right: Connection; all: readonly Connection[] }) {
  const rows: readonly (readonly [name: string, left: string, right: string])[] = [
    ['Name', nameOf(left), nameOf(right)],
    ['Revision', left.server?.protocolVersion ?? '', right.server?.protocolVersion ?? ''],
    ['Era', left.server?.era ?? '', right.server?.era ?? ''],
    ['Transport', left.server?.transport ?? '', right.server?.transport ?? ''],
    ['Session', left.server?.hasSession ? 'yes' : 'no', right.server?.hasSession ? 'yes' : 'no'],
  ];
  return (
    <>
      <table class="compare">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">What</span>
            </th>
            <th scope="col">{displayName(left, all)}</th>
            <th scope="col">{displayName(right, all)}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, first, second]) => (
            <tr key={name} class={first === second ? '' : 'differs'}>
              <th scope="row">{name}</th>
              <td>{first}</td>
              <td>
                {second}
                {first === second ? '' : <span class="note"> ≠</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <section class="compare-part" aria-label="Capabilities">
        <h3>Capabilities</h3>
        <DiffView before={left.server?.capabilities as Json} after={right.server?.capabilities as Json} />
      </section>
      {kinds.map((kind) => (
        <ListDiff key={kind} kind={kind} left={left} right={right} />
      ))}
    </>
  );
}

function ListDiff({ kind, left, right }: { kind: ListKind; left: Connection; right: Connection }) {
  const first = useEntries(left.id, kind);
  const second = useEntries(right.id, kind);
  if (first === undefined && second === undefined) return null;
  const named = (entries: typeof first) => Object.fromEntries((entries ?? []).map(({ id, raw }) => [id, raw])) as Json;
  return (
    <section class="compare-part" aria-label={kind}>
      <h3>{kind[0]?.toUpperCase() + kind.slice(1)}</h3>
      <DiffView before={named(first)} after={named(second)} />
    </section>
  );
}

function nameOf({ server }: Connection): string {
  return server?.info === undefined ? 'not said' : `${server.info.name} ${server.info.version}`;
}
