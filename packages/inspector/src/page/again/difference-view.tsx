import { useMemo, useState } from 'preact/hooks';
import type { Json } from '../form/json.ts';
import { type Difference, differences } from './difference.ts';
import { excerpts } from './excerpts.ts';
import { type DifferentLine, lineDifference } from './line-difference.ts';

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
  const lines = lineDifference(before, after);
  return (
    <li>
      <span class={`mark ${tone}`} role="img" aria-label={word}>
        {sign}
      </span>
      <span class="place">{path.length === 0 ? '(whole)' : path.join(' › ')}</span>
      <span class="values">
        {lines === undefined ? <Both before={before} after={after} /> : <Lines lines={lines} />}
      </span>
    </li>
  );
}

function Both({ before, after }: Pick<Difference, 'before' | 'after'>) {
  const [left, right] = excerpts(before, after);
  return (
    <>
      {before === undefined ? null : <del>{left}</del>}
      {after === undefined ? null : <ins>{right}</ins>}
    </>
  );
}

function Lines({ lines }: { lines: readonly DifferentLine[] }) {
  return lines.map((line, index) => {
    if (line.is === 'went') return <del key={index}>{line.text}</del>;
    if (line.is === 'came') return <ins key={index}>{line.text}</ins>;
    return (
      <span key={index} class="dim">
        {line.is === 'skipped' ? `… ${line.count} the same …` : line.text}
      </span>
    );
  });
}
