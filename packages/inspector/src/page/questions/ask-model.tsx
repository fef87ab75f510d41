import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Json } from '../../shared/json.ts';
import type { Question } from '../../shared/questions.ts';
import { Button } from '../components/controls.tsx';
import { formatDuration } from '../components/format.ts';
import { Elapsed } from '../components/status.tsx';
import { ProblemBox, useRequest } from '../components/use-request.tsx';
import { request } from '../model/api.ts';
import type { ModelRequest } from '../model/model-answers.ts';
import { createDraft, type Draft } from '../model/drafts.ts';
import { openedRecording } from '../model/route.ts';
import { useAppState } from '../model/store.ts';
import { loadFromTab, saveToTab } from '../model/tab-storage.ts';
import { AutoAnswerSwitch, ModelSetup } from './model-settings.tsx';
import { modelHints } from './sample-draft.ts';

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
  const { model, requests } = useAppState('questions').modelAnswers;
  const asked = requests.get(question);
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
            <Button onClick={() => pending.run(() => request('cancel-ask', { question }))}>Cancel</Button>
          </>
        ) : (
          <>
            <Button isPrimary={isEmpty} disabled={pending.busy} onClick={() => run()}>
              Ask {model.model}
              {written === undefined ? '' : ' again'}
            </Button>
            {others.map((hint) => (
              <Button
                key={hint}
                class="quiet"
                title="Suggested by the server; used for this question only"
                disabled={pending.busy}
                onClick={() => run(hint)}
              >
                Ask {hint} instead
              </Button>
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
  if (end.error !== undefined) return <ProblemBox error={end.error} />;
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
        <Button class="link" onClick={onTake}>
          Replace mine
        </Button>
      )}
    </p>
  );
}
