import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Question } from '../../shared/questions.ts';
import { type Draft, draftOf } from '../form/draft.ts';
import type { Json } from '../form/json.ts';
import { ask } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { useWorld } from '../model/store.ts';
import { keep, kept } from '../model/tab-storage.ts';
import { Elapsed } from '../components/elapsed.tsx';
import { ProblemBox } from '../components/problem-box.tsx';
import { useAsking } from '../components/use-request.ts';
import { ByItselfSwitch } from './model-settings.tsx';
import { hintsOf } from './sample-details.tsx';
import { ModelSetUp } from './model-settings.tsx';
import type { AskedModel } from '../model/app-state.ts';
import { duration } from '../components/format.ts';

/** A way to have a model write the answer, which a person looks at; and to set one up. */
export function AskModel({
  question: { question, connection, params },
  draft,
  place,
  isEmpty,
}: {
  question: Question;
  draft: Signal<Draft>;
  /** The name under which the tab keeps what it knows of the draft. */
  place: string;
  isEmpty: boolean;
}) {
  const { model, askedModels } = useWorld('questions');
  const asked = askedModels.get(question);
  const asking = useAsking();
  const isRunning = asked !== undefined && asked.end === undefined;
  const written = asked?.end?.draft;
  const take = () => {
    if (asked === undefined || written === undefined) return;
    draft.value = { ...draft.value, ...draftOf(written as unknown as Json) };
    keep(`taken ${place}`, asked.start.ask);
  };
  const isTaken = written !== undefined && kept(`taken ${place}`) === asked?.start.ask;
  useEffect(() => {
    // What a person has begun to write stays, until they say otherwise.
    if (written !== undefined && !isTaken && isEmpty) take();
  }, [written]);
  if (openedRecording.value !== undefined) return null;
  if (model === undefined) return <ModelSetUp />;
  const run = (name?: string) =>
    asking.run(() => ask('ask-model', { question, ...(name !== undefined && { model: name }) }));
  const others = hintsOf(params).filter((hint) => hint !== model.model);
  return (
    <section class="ask-model" aria-label="Ask a model">
      <div class="line">
        {asked !== undefined && isRunning ? (
          <>
            <span class="mark accent turning">◐</span>
            <span>
              {asked.start.model} is asked · <Elapsed since={asked.start.at} />
            </span>
            <button type="button" class="button" onClick={() => asking.run(() => ask('cancel-ask', { question }))}>
              Cancel
            </button>
          </>
        ) : (
          <>
            <button
              type="button"
              class={`button ${isEmpty ? 'primary' : ''}`}
              disabled={asking.busy}
              onClick={() => run()}
            >
              Ask {model.model}
              {written === undefined ? '' : ' again'}
            </button>
            {others.map((hint) => (
              <button
                key={hint}
                type="button"
                class="quiet"
                title="The server would like this one: it is asked for this question only"
                disabled={asking.busy}
                onClick={() => run(hint)}
              >
                Ask {hint} instead
              </button>
            ))}
          </>
        )}
        <span class="grow" />
        <ByItselfSwitch connection={connection} />
      </div>
      {asked === undefined ? null : (
        <AskedModelLine asked={asked} wanted={params.maxTokens} onTake={isTaken ? undefined : take} />
      )}
      <ProblemBox error={asking.error} />
      <ModelSetUp />
    </section>
  );
}

/** What came of asking a model: what it cost, or why there is no answer. */
function AskedModelLine({
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
