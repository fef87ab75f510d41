import type { Json } from '../form/json.ts';
import { shownName } from '../model/shown-name.ts';
import { useWorld } from '../model/state.ts';
import { duration } from '../parts/figures.ts';
import { useWholeResult } from '../result/use-whole-result.ts';
import { DifferenceView } from './difference-view.tsx';
import { withReadTexts } from './read-texts.ts';

/** How the results of two calls differ. */
export function CallDifference({ before, after, onClose }: { before: string; after: string; onClose: () => void }) {
  const { calls, connections } = useWorld('calls', 'connections');
  const first = calls.get(before);
  const second = calls.get(after);
  const left = useWholeResult(first);
  const right = useWholeResult(second);
  const nameOf = (id: string) => {
    const connection = connections.get(id);
    return connection === undefined ? '' : shownName(connection, connections.values());
  };
  const name = (call: typeof first) =>
    call === undefined
      ? ''
      : `${nameOf(call.start.connection)} ${call.end === undefined ? '…' : duration(call.end.ms)}`;
  return (
    <section class="box block" aria-label="Difference">
      <div class="line">
        <strong class="grow">
          <del class="plain">{name(first)}</del> → {name(second)}
        </strong>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      {first?.end === undefined || second?.end === undefined ? (
        <p class="dim">Waiting for both results …</p>
      ) : (
        <DifferenceView
          before={withReadTexts((left ?? first.end.error ?? null) as Json)}
          after={withReadTexts((right ?? second.end.error ?? null) as Json)}
        />
      )}
    </section>
  );
}
