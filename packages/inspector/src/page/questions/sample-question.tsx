import { useMemo } from 'preact/hooks';
import type { Question, SampleAnswer as Answer } from '../../shared/questions.ts';
import type { Json } from '../form/json.ts';
import { ask } from '../model/api.ts';
import { draftFor } from '../model/drafts.ts';
import { theWorld } from '../model/state.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';
import { ContentView } from '../result/content-view.tsx';
import { contentsOf } from '../result/contents.ts';
import { JsonTree } from '../result/json-tree.tsx';
import { AskModel } from './ask-model.tsx';
import { SampleAnswer } from './sample-answer.tsx';
import { answerText, emptyAnswer, otherPieces } from './sample-draft.ts';
import { SampleFacts } from './sample-facts.tsx';

/** A request for the answer of a model: a person writes it, or has a model write it and looks at it. */
export function SampleQuestion({ question: asked }: { question: Question }) {
  const { question, params } = asked;
  const asking = useAsking();
  // Another run of the inspector counts its questions anew.
  const place = `question ${theWorld().hello?.run ?? ''}.${question}`;
  const draft = useMemo(() => draftFor(place, () => emptyAnswer), [place]);
  const { messages, systemPrompt, ...rest } = params;
  const { value, mistake } = draft.value;
  const isEmpty = answerText(value) === '' && otherPieces(value).length === 0;
  return (
    <>
      {typeof systemPrompt === 'string' ? <p class="asked-words dim">{systemPrompt}</p> : null}
      <div class="asked-words">
        {contentsOf({ messages: (messages ?? []) as Json }).map((content, index) => (
          <ContentView key={index} content={content} />
        ))}
      </div>
      <SampleFacts params={params} />
      <details>
        <summary class="dim">Everything else it says</summary>
        <JsonTree value={rest as Json} depth={1} />
      </details>
      <AskModel question={asked} draft={draft} place={place} isEmpty={isEmpty} />
      <SampleAnswer id={question} draft={draft} />
      <div class="line">
        <button
          type="button"
          class={`button ${isEmpty ? '' : 'primary'}`}
          disabled={asking.busy || isEmpty || mistake !== undefined}
          onClick={() => asking.run(() => ask('answer', { question, answer: value as unknown as Answer }))}
        >
          Answer
        </button>
        <button
          type="button"
          class="button"
          disabled={asking.busy}
          onClick={() => asking.run(() => ask('answer', { question, answer: { refuse: 'The person declined' } }))}
        >
          Refuse
        </button>
      </div>
      <ProblemBox error={asking.error} />
    </>
  );
}
