import { signal } from '@preact/signals';
import type { ListChanges, ListChanges as Changes } from '../../shared/lists.ts';
import { Button } from '../components/controls.tsx';

const dismissed = signal<ReadonlySet<string>>(new Set());

/** Notice that a list changed: what was added, removed and changed. */
export function ListChanges({
  changes,
  version,
  id,
  onMore,
}: {
  changes: Changes;
  version: number;
  id: string;
  /** Navigates to the differences. */
  onMore?: (() => void) | undefined;
}) {
  const key = `${id} ${version}`;
  const parts = summarizeChanges(changes);
  if (dismissed.value.has(key) || parts.length === 0) return null;
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
          <Button class="link" onClick={onMore}>
            What changed
          </Button>
        )}
      </details>
      <Button class="quiet" onClick={() => (dismissed.value = new Set(dismissed.value).add(key))}>
        Dismiss
      </Button>
    </div>
  );
}

/** Entries with one kind of change: sign, tone, label and names. */
export interface ChangeGroup {
  readonly sign: string;
  readonly tone: string;
  readonly word: string;
  readonly names: readonly string[];
  /** Total count, including entries that are not named. */
  readonly count: number;
}

/** Groups the changes of a list by kind. */
export function summarizeChanges({ added, removed, changed, more }: ListChanges): readonly ChangeGroup[] {
  const part = (sign: string, tone: string, word: string, names: readonly string[], others = 0): ChangeGroup => ({
    sign,
    tone,
    word,
    names,
    count: names.length + others,
  });
  return [
    part('+', 'ok', 'added', added, more?.added),
    part('−', 'bad', 'removed', removed, more?.removed),
    part('≠', 'note', 'changed', changed, more?.changed),
  ].filter(({ count }) => count > 0);
}
