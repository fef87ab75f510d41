import { DifferenceView } from '../again/difference-view.tsx';
import { JsonTree } from '../result/json-tree.tsx';
import { Counts, Times, verdicts } from './difference-row.tsx';
import type { DifferenceRow } from './difference-rows.ts';

/** What stands behind a row of a comparison: where both differ, and both whole. */
export function DifferenceDetail({ row }: { row: DifferenceRow | undefined }) {
  if (row === undefined || row.is === 'same')
    return <p class="emptiness dim">Choose a row: here is where both differ. ↑ and ↓ walk through them.</p>;
  if (row.is === 'head') {
    return (
      <div class="block">
        <h2>{row.part.title}</h2>
        <Counts items={row.part.items} />
        <Times times={row.part.times} />
      </div>
    );
  }
  const { name, verdict, before, after, times, isMoved } = row.item;
  const [sign, tone, word] = verdicts[verdict];
  return (
    <div class="block">
      <h2 class="mono">{name}</h2>
      <p class="line">
        <span class={tone}>
          {sign} {word}
        </span>
        {isMoved ? <span class="note">in another order</span> : null}
        <Times times={times} />
      </p>
      {verdict === 'changed' ? <DifferenceView before={before} after={after} /> : null}
      {verdict === 'changed' ? (
        <>
          <Whole title="Before, whole" value={before} />
          <Whole title="After, whole" value={after} />
        </>
      ) : (
        <JsonTree value={after ?? before ?? null} depth={3} />
      )}
    </div>
  );
}

function Whole({ title, value }: { title: string; value: Parameters<typeof JsonTree>[0]['value'] | undefined }) {
  return (
    <details>
      <summary class="dim">{title}</summary>
      <JsonTree value={value ?? null} depth={3} />
    </details>
  );
}
