import { useState } from 'preact/hooks';
import type { ChangedDefinition } from '../../shared/lists.ts';
import { DifferenceView } from '../again/difference-view.tsx';
import type { Json } from '../form/json.ts';
import type { ChangePart } from '../lists/change-parts.ts';
import { goTo, type Place } from '../model/place.ts';
import { JsonTree } from '../result/json-tree.tsx';

/** An entry that came, went or changed: its name, and opened what it says, or where that differs. */
export function ChangedEntry({
  part: { sign, tone, word },
  name,
  definition,
  isLoading,
  isOpenAtFirst,
  place,
}: {
  part: ChangePart;
  name: string;
  definition: ChangedDefinition | undefined;
  isLoading: boolean;
  isOpenAtFirst: boolean;
  /** Where it is now. */
  place: Place | undefined;
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <li>
      <div class="line">
        <button type="button" class="heard-name grow" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span class="turn" aria-hidden="true">
            {isOpen ? '▾' : '▸'}
          </span>
          <span class={tone} role="img" aria-label={word}>
            {sign}
          </span>{' '}
          <span class="mono">{name}</span>
        </button>
        {place === undefined ? null : (
          <button type="button" class="quiet" aria-label={`Go to it, ${name}`} onClick={() => goTo(place)}>
            Go to it
          </button>
        )}
      </div>
      {isOpen ? <Definition definition={definition} isLoading={isLoading} /> : null}
    </li>
  );
}

function Definition({ definition, isLoading }: { definition: ChangedDefinition | undefined; isLoading: boolean }) {
  if (definition === undefined)
    return <p class="dim">{isLoading ? 'Loading …' : 'What it says was too much to be kept.'}</p>;
  const { before, after } = definition as { before?: Json; after?: Json };
  return before === undefined || after === undefined ? (
    <JsonTree value={after ?? before} depth={2} />
  ) : (
    <DifferenceView before={before} after={after} />
  );
}
