import { signal } from '@preact/signals';
import type { ListChanges as Changes } from '../../shared/lists.ts';
import { changeParts } from './change-parts.ts';

const seen = signal<ReadonlySet<string>>(new Set());

/** Says that the server changed a list, and what came, went and changed. */
export function ListChanges({
  changes,
  version,
  id,
  onMore,
}: {
  changes: Changes;
  version: number;
  id: string;
  /** Leads to where the differences are. */
  onMore?: (() => void) | undefined;
}) {
  const key = `${id} ${version}`;
  const parts = changeParts(changes);
  if (seen.value.has(key) || parts.length === 0) return null;
  return (
    <div class="list-changes">
      <details>
        <summary>
          The list changed:{' '}
          {parts.map(({ sign, tone, count }) => (
            <span key={sign} class={tone}>{` ${sign}${count}`}</span>
          ))}
        </summary>
        <ul class="mono">
          {parts.flatMap(({ sign, tone, names }) =>
            names.map((name) => (
              <li key={`${sign} ${name}`}>
                <span class={tone}>{sign}</span> {name}
              </li>
            )),
          )}
        </ul>
        {onMore === undefined ? null : (
          <button type="button" class="link" onClick={onMore}>
            What changed
          </button>
        )}
      </details>
      <button type="button" class="quiet" onClick={() => (seen.value = new Set(seen.value).add(key))}>
        Seen
      </button>
    </div>
  );
}
