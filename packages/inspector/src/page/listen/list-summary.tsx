import type { HeardList } from '../model/heard.ts';
import { changeParts } from '../lists/change-parts.ts';

const mostNames = 12;

/** What came of a change of lists, in a line. */
export function ListSummary({ heard: { awaited, lists } }: { heard: HeardList }) {
  const parts = lists.flatMap(({ changes }) => (changes === undefined ? [] : changeParts(changes)));
  const refused = lists.find(({ state }) => state === 'refused');
  return (
    <>
      {parts.map(({ sign, tone, word, names, count }, at) => (
        <span key={at} class="heard-part">
          <span class={tone} role="img" aria-label={word}>
            {sign}
          </span>{' '}
          <span class="mono">{names.slice(0, mostNames).join(', ')}</span>
          {count > mostNames ? (
            <span class="dim"> and {count - Math.min(mostNames, names.length)} more</span>
          ) : null}{' '}
        </span>
      ))}
      {refused === undefined ? null : <span class="bad">✕ it was refused when it was asked for again </span>}
      {awaited.size > 0 ? <span class="dim">asking for it again …</span> : null}
      {awaited.size === 0 && parts.length === 0 && refused === undefined ? (
        <span class="dim">nothing in it differs</span>
      ) : null}
    </>
  );
}
