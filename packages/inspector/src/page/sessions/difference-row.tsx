import { differences } from '../again/difference.ts';
import type { Json } from '../form/json.ts';
import { duration } from '../parts/figures.ts';
import type { DifferenceRow } from './difference-rows.ts';
import type { ComparedItem, ComparedPart, Verdict } from './session-difference.ts';

/** How each verdict looks: a sign, a tone and a word. */
export const verdicts: Readonly<Record<Verdict, readonly [sign: string, tone: string, word: string]>> = {
  same: ['=', 'dim', 'the same in both'],
  changed: ['≠', 'note', 'differs'],
  went: ['−', 'bad', 'only before'],
  came: ['+', 'ok', 'only after'],
};

/** One row of a comparison. */
export function DifferenceRowView({
  row,
  isChosen,
  isReachable,
  onChoose,
}: {
  row: DifferenceRow;
  isChosen: boolean;
  isReachable: boolean;
  onChoose: () => void;
}) {
  return (
    <button
      type="button"
      role="option"
      class={`entry-row difference-row is-${row.is}`}
      aria-selected={isChosen}
      tabIndex={isReachable ? 0 : -1}
      onClick={onChoose}
    >
      {row.is === 'head' ? <Head part={row.part} /> : row.is === 'item' ? <Item item={row.item} /> : null}
      {row.is === 'same' ? (
        <span class="dim">
          <span class="mark">=</span> {row.count} the same{row.count === 1 ? `: ${row.first}` : ''} …
        </span>
      ) : null}
    </button>
  );
}

function Head({ part: { title, items, times } }: { part: ComparedPart }) {
  return (
    <>
      <strong class="grow">
        {title} <Counts items={items} />
      </strong>
      <Times times={times} />
    </>
  );
}

/** How many of some things differ, came and went. */
export function Counts({ items }: { items: readonly ComparedItem[] }) {
  const count = (wanted: Verdict) => items.filter(({ verdict }) => verdict === wanted).length;
  const shown = (['changed', 'went', 'came', 'same'] as const).filter((verdict) => count(verdict) > 0);
  return (
    <span class="counts small">
      {shown.map((verdict) => (
        <span key={verdict} class={verdicts[verdict][1]} title={verdicts[verdict][2]}>
          {verdicts[verdict][0]} {count(verdict)}
        </span>
      ))}
    </span>
  );
}

function Item({ item: { name, about, verdict, before, after, times, isMoved } }: { item: ComparedItem }) {
  const [sign, tone, word] = verdicts[verdict];
  const isFact = typeof before !== 'object' && typeof after !== 'object';
  return (
    <>
      <span class={`mark ${tone}`} role="img" aria-label={word}>
        {sign}
      </span>
      <span class="entry-name mono">{name}</span>
      {isFact ? (
        <span class="grow cut mono">
          {verdict === 'same' || before === undefined ? null : <del>{String(before)}</del>}{' '}
          {after === undefined ? null : verdict === 'same' ? String(after) : <ins>{String(after)}</ins>}
        </span>
      ) : (
        <span class="grow cut dim mono">{about ?? placesOf(before, after)}</span>
      )}
      {isMoved ? <span class="tag note">other order</span> : null}
      <Times times={times} />
    </>
  );
}

const mostPlaces = 3;

/** Where both differ, in short. */
function placesOf(before: Json | undefined, after: Json | undefined): string {
  if (before === undefined || after === undefined) return '';
  const places = differences(before, after).map(({ path }) => path.join(' › '));
  const more = places.length > mostPlaces ? ` and ${places.length - mostPlaces} more` : '';
  return `${places.slice(0, mostPlaces).join(', ')}${more}`;
}

/** How long something took in both sessions, side by side. */
export function Times({ times }: { times: ComparedItem['times'] }) {
  if (times === undefined || (times.before === undefined && times.after === undefined)) return null;
  const shown = (ms: number | undefined) => (ms === undefined ? '–' : duration(ms));
  return (
    <span class="times dim mono small" title="before and after">
      <span>{shown(times.before)}</span>
      <span aria-hidden="true">→</span>
      <span>{shown(times.after)}</span>
    </span>
  );
}
