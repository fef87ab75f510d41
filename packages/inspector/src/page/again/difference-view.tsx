import { useMemo, useState } from 'preact/hooks';
import type { Json } from '../form/json.ts';
import { type Difference, differences } from './difference.ts';
import { excerpts } from './excerpts.ts';
import { lineDifference } from './line-difference.ts';
import { TextDifference } from './text-difference.tsx';

const atOnce = 200;

/** What differs between two values: what came, went and changed, each with its place. */
export function DifferenceView({ before, after }: { before: Json | undefined; after: Json | undefined }) {
  const all = useMemo(() => differences(before, after), [before, after]);
  const [most, setMost] = useState(atOnce);
  if (all.length === 0) return <p class="dim">The same in both.</p>;
  return (
    <ul class="differences mono" aria-label={`${all.length} differences`}>
      {all.slice(0, most).map((difference) => (
        <DifferenceRow key={JSON.stringify(difference.path)} difference={difference} />
      ))}
      {all.length > most ? (
        <li>
          <button type="button" class="quiet" onClick={() => setMost(most + atOnce)}>
            {all.length - most} more …
          </button>
        </li>
      ) : null}
    </ul>
  );
}

function DifferenceRow({ difference: { path, before, after } }: { difference: Difference }) {
  const [sign, tone, word] =
    before === undefined ? ['+', 'ok', 'came'] : after === undefined ? ['−', 'bad', 'went'] : ['≠', 'note', 'changed'];
  const shown = excerpts(before, after);
  const lines = useMemo(() => linesOf(before, after), [before, after]);
  return (
    <li>
      <span class={`mark ${tone}`} role="img" aria-label={word}>
        {sign}
      </span>
      <span class="place">{path.length === 0 ? '(whole)' : path.join(' › ')}</span>
      <span class="values">
        {lines === undefined ? (
          <>
            {before === undefined ? null : <del>{shown[0]}</del>}
            {after === undefined ? null : <ins>{shown[1]}</ins>}
          </>
        ) : (
          <TextDifference lines={lines} />
        )}
      </span>
    </li>
  );
}

/** Texts of several lines are compared line by line. Where no line is the same, one below the other is easier to read. */
function linesOf(before: Json | undefined, after: Json | undefined) {
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  if (!before.includes('\n') && !after.includes('\n')) return undefined;
  const lines = lineDifference(before, after);
  return lines?.some(({ is }) => is === 'both' || is === 'more') ? lines : undefined;
}
