import { type Json, sameJson } from '../form/json.ts';
import type { Readings } from './readings-of.ts';

/** What is known of a change of a resource, in a line. */
export function ResourceSummary({ uri, readings }: { uri: string; readings: Readings }) {
  const [tone, says] = verdict(readings);
  return (
    <>
      <span class={tone}>{says}</span> <span class="mono">{uri}</span>
    </>
  );
}

function verdict({ before, after }: Readings): readonly [tone: string, says: string] {
  if (after === undefined) return ['dim', 'not read since'];
  if (after.end === undefined) return ['dim', 'reading …'];
  if (after.end.outcome !== 'ok') return ['bad', '✕ could not be read'];
  if (before?.end === undefined) return ['dim', 'not read before'];
  if (before.end.cut || after.end.cut) return ['', 'read'];
  return sameJson(before.end.result as Json, after.end.result as Json)
    ? ['dim', 'nothing in it differs']
    : ['note', '≠ changed'];
}
