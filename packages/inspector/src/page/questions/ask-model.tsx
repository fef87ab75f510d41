import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Question } from '../../shared/questions.ts';
import { type Draft, createDraft } from '../form/draft.ts';
import type { Json } from '../form/json.ts';
import { request } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { useAppState } from '../model/store.ts';
import { saveToTab, loadFromTab } from '../model/tab-storage.ts';
import { Elapsed } from '../components/elapsed.tsx';
import { ProblemBox } from '../components/problem-box.tsx';
import { useRequest } from '../components/use-request.ts';
import { AutoAnswerSwitch } from './model-settings.tsx';
import { modelHints } from './sample-details.tsx';
import { ModelSetup } from './model-settings.tsx';
import type { ModelRequest } from '../model/app-state.ts';
import { formatDuration } from '../components/format.ts';

/** Asks a model for a draft answer, which the user reviews. */
export function AskModel({
  question: { question, connection, params },
  draft,
  draftKey,
  isEmpty,
}: {
  question: Question;
  draft: Signal<Draft>;
  /** Storage key of the draft. */
  draftKey: string;
  isEmpty: boolean;
}) {
  const { model, modelRequests } = useAppState('questions');
  const asked = modelRequests.get(question);
  const pending = useRequest();
  const isRunning = asked !== undefined && asked.end === undefined;
  const written = asked?.end?.draft;
  const take = () => {
    if (asked === undefined || written === undefined) return;
    draft.value = { ...draft.value, ...createDraft(written as unknown as Json) };
    saveToTab(`taken ${draftKey}`, asked.start.ask);
  };
  const isTaken = written !== undefined && loadFromTab(`taken ${draftKey}`) === asked?.start.ask;
  useEffect(() => {
    // Text that the user has written stays until they replace it.
    if (written !== undefined && !isTaken && isEmpty) take();
  }, [written]);
  if (openedRecording.value !== undefined) return null;
  if (model === undefined) return <ModelSetup />;
  const run = (name?: string) =>
    pending.run(() => request('ask-model', { question, ...(name !== undefined && { model: name }) }));
  const others = modelHints(params).filter((hint) => hint !== model.model);
  return (
    <section class="ask-model" aria-label="Ask a model">
      <div class="line">
        {asked !== undefined && isRunning ? (
          <>
            <span class="mark accent turning">◐</span>
            <span>
              {asked.start.model} is asked · <Elapsed since={asked.start.at} />
            </span>
            <button type="button" class="button" onClick={() => pending.run(() => request('cancel-ask', { question }))}>
              Cancel
            </button>
          </>
        ) : (
          <>
            <button
              type="button"
              class={`button ${isEmpty ? 'primary' : ''}`}
              disabled={pending.busy}
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
                title="Suggested by the server; used for this question only"
                disabled={pending.busy}
                onClick={() => run(hint)}
              >
                Ask {hint} instead
              </button>
            ))}
          </>
        )}
        <span class="grow" />
        <AutoAnswerSwitch connection={connection} />
      </div>
      {asked === undefined ? null : (
        <ModelOutcome asked={asked} wanted={params.maxTokens} onTake={isTaken ? undefined : take} />
      )}
      <ProblemBox error={pending.error} />
      <ModelSetup />
    </section>
  );
}

/** Outcome of a model request: cost, or error. */
function ModelOutcome({
  asked: { start, end },
  wanted,
  onTake,
}: {
  asked: ModelRequest;
  /** The server's `maxTokens`. */
  wanted: unknown;
  /** Replaces the user's text by the draft. */
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
  if (end.outcome === 'cancelled') return <p class="dim small">Cancelled after {formatDuration(end.ms)}</p>;
  const { usage } = end;
  return (
    <p class="small line">
      <span class="dim">
        Written by {end.draft?.model ?? start.model} in {formatDuration(end.ms)}
        {usage === undefined ? '' : ` · ${usage.input} tokens read, ${usage.output} written`}
        {typeof wanted === 'number' && wanted > start.maxTokens ? ` · bounded to ${start.maxTokens} tokens` : ''}
        {'. Nothing is sent before you answer.'}
      </span>
      {onTake === undefined ? null : (
        <button type="button" class="link" onClick={onTake}>
          Replace mine
        </button>
      )}
    </p>
  );
}
