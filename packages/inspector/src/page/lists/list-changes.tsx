import { signal } from '@preact/signals';
import type { ListChanges as Changes, ListChanges } from '../../shared/lists.ts';
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

/** What happened to some entries of a list: a sign, a tone and a word for it, and their names. */
export interface ChangePart {
  readonly sign: string;
  readonly tone: string;
  readonly word: string;
  readonly names: readonly string[];
  /** How many there are, also where not all are named. */
  readonly count: number;
}

/** What changed, came and went in a list, as far as something did. */
export function changeParts({ added, removed, changed, more }: ListChanges): readonly ChangePart[] {
  const part = (sign: string, tone: string, word: string, names: readonly string[], others = 0): ChangePart => ({
    sign,
    tone,
    word,
    names,
    count: names.length + others,
  });
  return [
    part('+', 'ok', 'came', added, more?.added),
    part('−', 'bad', 'went', removed, more?.removed),
    part('≠', 'note', 'changed', changed, more?.changed),
  ].filter(({ count }) => count > 0);
}
