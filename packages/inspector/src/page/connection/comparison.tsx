import { useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import type { Json } from '../../shared/json.ts';
import { type ListKind, listKinds } from '../../shared/lists.ts';
import { Button, Select } from '../components/controls.tsx';
import { DiffView } from '../diff/diff-view.tsx';
import { displayName } from '../model/display-name.ts';
import { useEntries } from '../model/entries.ts';
import { navigateToComparison } from '../model/route.ts';
import { useAppState } from '../model/store.ts';

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
        <Select
          id="compare-with"
          class="input compare-with"
          value={chosen}
          options={[
            ['', '…'],
            ...others.map((each) => {
              const name = displayName(each, connections.values());
              return [each.id, `${name}, ${each.server?.protocolVersion}`] as const;
            }),
          ]}
          onChange={setChosen}
        />
      </div>
      {other === undefined ? null : (
        <>
          <SideBySide left={connection} right={other} all={[...connections.values()]} />
          <div>
            <Button onClick={() => navigateToComparison({ label: connection.label }, { label: other.label })}>
              Compare both sessions, including calls
            </Button>
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
      {listKinds.map((kind) => (
        <ListDiff key={kind} kind={kind} left={left} right={right} />
      ))}
    </>
  );
}

function ListDiff({ kind, left, right }: { kind: ListKind; left: Connection; right: Connection }) {
  const first = useEntries(left.id, kind);
  const second = useEntries(right.id, kind);
  if (first === undefined && second === undefined) return null;
  const indexById = (entries: typeof first) =>
    Object.fromEntries((entries ?? []).map(({ id, raw }) => [id, raw])) as Json;
  return (
    <section class="compare-part" aria-label={kind}>
      <h3>{kind[0]?.toUpperCase() + kind.slice(1)}</h3>
      <DiffView before={indexById(first)} after={indexById(second)} />
    </section>
  );
}

function nameOf({ server }: Connection): string {
  return server?.info === undefined ? 'not said' : `${server.info.name} ${server.info.version}`;
}
