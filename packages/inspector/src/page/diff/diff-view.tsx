import { useMemo, useState } from 'preact/hooks';
import type { Json } from '../../shared/json.ts';
import { MoreButton } from '../components/controls.tsx';
import { type Difference, diffJson, type DiffLine, diffLines } from './diff.ts';

const linesPerPage = 200;
const maxLineLength = 1000;

/** Line-by-line diff of two texts. */
function TextDiff({ lines }: { lines: readonly DiffLine[] }) {
  const [most, setMost] = useState(linesPerPage);
  return (
    <span class="line-differences">
      {lines.slice(0, most).map((line, at) => (
        <Line key={at} line={line} />
      ))}
      <MoreButton count={lines.length - most} onClick={() => setMost(most + linesPerPage)} />
    </span>
  );
}

function Line({ line }: { line: DiffLine }) {
  if (line.is === 'more') {
    const { count } = line;
    return <span class="dim">{count === 1 ? '… 1 line, unchanged' : `… ${count} lines, unchanged`}</span>;
  }
  const text = line.text.length > maxLineLength ? `${line.text.slice(0, maxLineLength)} …` : line.text;
  if (line.is === 'removed') return <del>− {text}</del>;
  return line.is === 'added' ? <ins>+ {text}</ins> : <span>{`  ${text}`}</span>;
}
const maxExcerpt = 400;
/** Characters of common text to show before the first difference. */
const contextCharacters = 60;

/** Shortens two values to excerpts that start just before their first difference. */
export function toExcerpts(
  before: Json | undefined,
  after: Json | undefined,
): readonly [before: string, after: string] {
  const [left, right] = [toText(before), toText(after)];
  if (Math.max(left.length, right.length) <= maxExcerpt) return [left, right];
  let common = 0;
  while (common < left.length && common < right.length && left[common] === right[common]) common += 1;
  const start = before === undefined || after === undefined ? 0 : Math.max(0, common - contextCharacters);
  return [truncateFrom(left, start), truncateFrom(right, start)];
}

function toText(value: Json | undefined): string {
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

function truncateFrom(text: string, start: number): string {
  const end = start + maxExcerpt;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${text.length > end ? ' …' : ''}`;
}

const rowsPerPage = 200;

/** Diff of two JSON values: added, removed and changed paths. */
export function DiffView({ before, after }: { before: Json | undefined; after: Json | undefined }) {
  const all = useMemo(() => diffJson(before, after), [before, after]);
  const [most, setMost] = useState(rowsPerPage);
  if (all.length === 0) return <p class="dim">No differences.</p>;
  return (
    <ul class="differences mono" aria-label={`${all.length} differences`}>
      {all.slice(0, most).map((difference) => (
        <DiffRow key={JSON.stringify(difference.path)} difference={difference} />
      ))}
      {all.length > most ? (
        <li>
          <MoreButton count={all.length - most} onClick={() => setMost(most + rowsPerPage)} />
        </li>
      ) : null}
    </ul>
  );
}

function DiffRow({ difference: { path, before, after } }: { difference: Difference }) {
  const [sign, tone, word] =
    before === undefined
      ? ['+', 'ok', 'added']
      : after === undefined
        ? ['−', 'bad', 'removed']
        : ['≠', 'note', 'changed'];
  const shown = toExcerpts(before, after);
  const lines = useMemo(() => linesOf(before, after), [before, after]);
  return (
    <li>
      <span class={`mark ${tone}`} role="img" aria-label={word}>
        {sign}
      </span>
      <span class="path">{path.length === 0 ? '(whole)' : path.join(' › ')}</span>
      <span class="values">
        {lines === undefined ? (
          <>
            {before === undefined ? null : <del>{shown[0]}</del>}
            {after === undefined ? null : <ins>{shown[1]}</ins>}
          </>
        ) : (
          <TextDiff lines={lines} />
        )}
      </span>
    </li>
  );
}

/** Diffs multi-line texts by line, unless they share no line. */
function linesOf(before: Json | undefined, after: Json | undefined) {
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  if (!before.includes('\n') && !after.includes('\n')) return undefined;
  const lines = diffLines(before, after);
  return lines?.some(({ is }) => is === 'both' || is === 'more') ? lines : undefined;
}
