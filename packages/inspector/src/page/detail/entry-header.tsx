import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../components/controls.tsx';
import { formatTokens } from '../components/format.ts';
import type { Entry } from '../model/entries.ts';
import { useAppState } from '../model/store.ts';

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
  const isTruncated = description.length > maxDescription && !whole;
  return (
    <header class="entry-head">
      <div class="top">
        <div class="line grow">
          <h1 class="mono">{id}</h1>
          {title === '' || title === id ? null : <span>{title}</span>}
          <span class="badges dim small">
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
        <p class="dim description">
          {isTruncated ? description.slice(0, maxDescription) : description}
          {isTruncated ? (
            <Button class="quiet" onClick={() => setWhole(true)}>
              … more
            </Button>
          ) : null}
        </p>
      )}
    </header>
  );
}
