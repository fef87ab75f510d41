import type { AskedModel } from '../model/world.ts';
import { duration } from '../parts/figures.ts';

/** What came of asking a model: what it cost, or why there is no answer. */
export function AskedModelLine({
  asked: { start, end },
  wanted,
  onTake,
}: {
  asked: AskedModel;
  /** The bound of tokens that the server wants. */
  wanted: unknown;
  /** Puts the draft where the person has written something else. */
  onTake: (() => void) | undefined;
}) {
  if (end === undefined) return null;
  if (end.error !== undefined) {
    return (
      <div class="box bad-box" role="alert">
        <strong>{end.error.says}</strong>
        {end.error.advice === undefined ? null : <p>{end.error.advice}</p>}
      </div>
    );
  }
  if (end.outcome === 'cancelled') return <p class="dim small">Cancelled after {duration(end.ms)}</p>;
  const { usage } = end;
  return (
    <p class="small line">
      <span class="dim">
        Written by {end.draft?.model ?? start.model} in {duration(end.ms)}
        {usage === undefined ? '' : ` · ${usage.input} tokens read, ${usage.output} written`}
        {typeof wanted === 'number' && wanted > start.maxTokens ? ` · bounded to ${start.maxTokens} tokens` : ''}
        {'. Nothing is sent before you answer.'}
      </span>
      {onTake === undefined ? null : (
        <button type="button" class="link" onClick={onTake}>
          Put it in place of yours
        </button>
      )}
    </p>
  );
}
