import { useMemo, useState } from 'preact/hooks';
import type { Json } from '../form/json.ts';
import { type Difference, differences, type DifferenceLine } from './diff.ts';
import { lineDifference } from './diff.ts';

const linesPerBatch = 200;
const longestLine = 1000;

/** What differs between two texts, line by line. */
function TextDifference({ lines }: { lines: readonly DifferenceLine[] }) {
  const [most, setMost] = useState(linesPerBatch);
  return (
    <span class="line-differences">
      {lines.slice(0, most).map((line, at) => (
        <Line key={at} line={line} />
      ))}
      {lines.length > most ? (
        <button type="button" class="quiet" onClick={() => setMost(most + linesPerBatch)}>
          {lines.length - most} more …
        </button>
      ) : null}
    </span>
  );
}

function Line({ line }: { line: DifferenceLine }) {
  if (line.is === 'more') {
    const { count } = line;
    return <span class="dim">{count === 1 ? '… 1 line, the same in both' : `… ${count} lines, the same in both`}</span>;
  }
  const text = line.text.length > longestLine ? `${line.text.slice(0, longestLine)} …` : line.text;
  if (line.is === 'went') return <del>− {text}</del>;
  return line.is === 'came' ? <ins>+ {text}</ins> : <span>{`  ${text}`}</span>;
}
const longestExcerpt = 400;
/** So much of what both have in common is shown before the first difference. */
const lead = 60;

/** Two values as texts that are short enough to be shown, from a little before the place where they begin to differ. */
export function excerpts(before: Json | undefined, after: Json | undefined): readonly [before: string, after: string] {
  const [left, right] = [whole(before), whole(after)];
  if (Math.max(left.length, right.length) <= longestExcerpt) return [left, right];
  let common = 0;
  while (common < left.length && common < right.length && left[common] === right[common]) common += 1;
  const start = before === undefined || after === undefined ? 0 : Math.max(0, common - lead);
  return [cut(left, start), cut(right, start)];
}

function whole(value: Json | undefined): string {
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

function cut(text: string, start: number): string {
  const end = start + longestExcerpt;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${text.length > end ? ' …' : ''}`;
}

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
