import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Entry } from '../model/entries.ts';
import { useAppState } from '../model/store.ts';
import { formatTokens } from '../components/format.ts';

const maxDescription = 400;

/** Label, tone and tooltip. */
export type Badge = readonly [word: string, tone: string, means?: string];

/** Header of a detail: name, title, badges, token cost, description, main button. */
export function EntryHeader({
  entry,
  marks = [],
  button,
}: {
  entry: Entry;
  marks?: readonly Badge[];
  button: ComponentChildren;
}) {
  const estimate = useAppState('hello').hello?.tokenEstimate;
  const [whole, setWhole] = useState(false);
  const { id, title, description } = entry;
  const isCut = description.length > maxDescription && !whole;
  return (
    <header class="entry-head">
      <div class="top">
        <div class="line grow">
          <h1 class="mono">{id}</h1>
          {title === '' || title === id ? null : <span>{title}</span>}
          <span class="said-of-it dim small">
            {marks.map(([word, tone, means]) => (
              <span key={word} class={tone} title={means}>
                {word}
              </span>
            ))}
            {entry.tokens === 0 ? null : (
              <span title={`Estimated cost in each conversation: ${estimate ?? ''}`}>{formatTokens(entry.tokens)}</span>
            )}
          </span>
        </div>
        {button}
      </div>
      {description === '' ? null : (
        <p class="dim words">
          {isCut ? description.slice(0, maxDescription) : description}
          {isCut ? (
            <button type="button" class="quiet" onClick={() => setWhole(true)}>
              … more
            </button>
          ) : null}
        </p>
      )}
    </header>
  );
}
