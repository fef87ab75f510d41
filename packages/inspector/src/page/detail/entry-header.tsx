import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Entry } from '../model/entries.ts';
import { useWorld } from '../model/store.ts';
import { tokens } from '../components/format.ts';

const longWords = 400;

/** A word about an entry, how it is coloured, and what it means. */
export type Mark = readonly [word: string, tone: string, means?: string];

/** The head of a detail: name, title, marks, what it costs, what it is for, and the one thing to do. */
export function EntryHead({
  entry,
  marks = [],
  button,
}: {
  entry: Entry;
  marks?: readonly Mark[];
  button: ComponentChildren;
}) {
  const estimate = useWorld('hello').hello?.tokenEstimate;
  const [whole, setWhole] = useState(false);
  const { id, title, description } = entry;
  const isCut = description.length > longWords && !whole;
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
              <span title={`What it costs a model in each conversation, estimated: ${estimate ?? ''}`}>
                {tokens(entry.tokens)}
              </span>
            )}
          </span>
        </div>
        {button}
      </div>
      {description === '' ? null : (
        <p class="dim words">
          {isCut ? description.slice(0, longWords) : description}
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
