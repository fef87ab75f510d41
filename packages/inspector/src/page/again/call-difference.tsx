import type { Json } from '../form/json.ts';
import { shownName } from '../model/shown-name.ts';
import { useWorld } from '../model/state.ts';
import type { Call } from '../model/world.ts';
import { duration } from '../parts/figures.ts';
import { useWholeResult } from '../result/use-whole-result.ts';
import { DifferenceView } from './difference-view.tsx';
import { withReadTexts } from './read-texts.ts';

/** How the results of two calls differ. */
export function CallDifference({
  before,
  after,
  all,
  onClose,
}: {
  before: string;
  after: string;
  /** The calls of the same, by whose numbers both are known. */
  all: readonly Call[];
  onClose: () => void;
}) {
  const { calls, connections } = useWorld('calls', 'connections');
  const first = calls.get(before);
  const second = calls.get(after);
  const left = useWholeResult(first);
  const right = useWholeResult(second);
  const nameOf = (call: Call): string => {
    const number = all.indexOf(call) + 1;
    const connection = connections.get(call.start.connection);
    return number > 0 ? `call ${number}` : connection === undefined ? '' : shownName(connection, connections.values());
  };
  const named = (call: Call | undefined) =>
    call === undefined ? null : (
      <>
        {nameOf(call)} <span class="dim mono small">{call.end === undefined ? '…' : duration(call.end.ms)}</span>
      </>
    );
  return (
    <section class="box block" aria-label="Difference">
      <div class="line">
        <strong class="grow">
          {named(first)} → {named(second)}
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
