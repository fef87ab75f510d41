import { signal } from '@preact/signals';
import type { ListChanges as Changes } from '../../shared/lists.ts';

const seen = signal<ReadonlySet<string>>(new Set());

/** Says that the server changed a list, and what came, went and changed. */
export function ListChanges({ changes, version, id }: { changes: Changes; version: number; id: string }) {
  const key = `${id} ${version}`;
  const { added, removed, changed } = changes;
  if (seen.value.has(key) || added.length + removed.length + changed.length === 0) return null;
  const parts = [
    ['+', 'ok', added],
    ['−', 'bad', removed],
    ['≠', 'note', changed],
  ] as const;
  return (
    <div class="list-changes">
      <details>
        <summary>
          The list changed:{' '}
          {parts.map(([sign, tone, names]) =>
            names.length === 0 ? null : <span key={sign} class={tone}>{` ${sign}${names.length}`}</span>,
          )}
        </summary>
        <ul class="mono">
          {parts.flatMap(([sign, tone, names]) =>
            names.map((name) => (
              <li key={`${sign} ${name}`}>
                <span class={tone}>{sign}</span> {name}
              </li>
            )),
          )}
        </ul>
      </details>
      <button type="button" class="quiet" onClick={() => (seen.value = new Set(seen.value).add(key))}>
        Seen
      </button>
    </div>
  );
}
