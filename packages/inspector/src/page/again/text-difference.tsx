import { useState } from 'preact/hooks';
import type { DifferenceLine } from './line-difference.ts';

const atOnce = 200;
const longest = 1000;

/** What differs between two texts, line by line. */
export function TextDifference({ lines }: { lines: readonly DifferenceLine[] }) {
  const [most, setMost] = useState(atOnce);
  return (
    <span class="line-differences">
      {lines.slice(0, most).map((line, at) => (
        <Line key={at} line={line} />
      ))}
      {lines.length > most ? (
        <button type="button" class="quiet" onClick={() => setMost(most + atOnce)}>
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
  const text = line.text.length > longest ? `${line.text.slice(0, longest)} …` : line.text;
  if (line.is === 'went') return <del>− {text}</del>;
  return line.is === 'came' ? <ins>+ {text}</ins> : <span>{`  ${text}`}</span>;
}
