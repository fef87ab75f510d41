import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Question } from '../../shared/questions.ts';
import { type Draft, draftOf } from '../form/draft.ts';
import type { Json } from '../form/json.ts';
import { ask } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { useWorld } from '../model/state.ts';
import { keep, kept } from '../model/tab.ts';
import { Elapsed } from '../parts/elapsed.tsx';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';
import { AskedModelLine } from './asked-model-line.tsx';
import { ByItselfSwitch } from './by-itself-switch.tsx';
import { hintsOf } from './hints-of.ts';
import { ModelSetUp } from './model-set-up.tsx';

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
