import { useMemo, useState } from 'preact/hooks';
import type { Question, SampleAnswer as Answer } from '../../shared/questions.ts';
import type { Json } from '../form/json.ts';
import { request } from '../model/api.ts';
import { getDraft } from '../model/drafts.ts';
import { getAppState } from '../model/store.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { useRequest } from '../components/use-request.ts';
import { ContentView } from '../result/content-view.tsx';
import { parseContent } from '../result/content-blocks.ts';
import { JsonTree } from '../result/json-tree.tsx';
import { AskModel } from './ask-model.tsx';
import { answerText, emptyAnswer, otherContent, answerField, withAnswerField, withAnswerText } from './sample-draft.ts';
import { SampleDetails } from './sample-details.tsx';
import type { Signal } from '@preact/signals';
import type { Draft } from '../form/draft.ts';
import { createDraft } from '../form/draft.ts';
import { isRecord } from '../form/json.ts';
import { JsonDraft } from '../form/json-editor.tsx';
import { Tabs } from '../components/tabs.tsx';

const stopReasons = ['endTurn', 'stopSequence', 'maxTokens', 'toolUse'];

/** Edits the answer to a sampling request: as text, or as JSON. */
function SampleAnswer({ id, draft }: { id: string; draft: Signal<Draft> }) {
  const [view, setView] = useState<'text' | 'json'>('text');
  const { value } = draft.value;
  const put = (answer: Json) => (draft.value = { ...draft.value, ...createDraft(answer) });
  const reason = answerField(value, 'stopReason');
  return (
    <section class="arguments" aria-label="Draft">
      <Tabs
        label="Draft as"
        names={[
          ['text', 'Text'],
          ['json', 'JSON'],
        ]}
        chosen={view}
        onChoose={setView}
      />
      <div class="arguments-body">
        {view === 'json' ? (
          <JsonDraft draft={draft} label="Answer as JSON" />
        ) : (
          <div class="fields">
            <label class="hidden" for={`answer-${id}`}>
              The answer
            </label>
            <textarea
              id={`answer-${id}`}
              class="input"
              rows={Math.min(16, Math.max(3, answerText(value).split('\n').length))}
              value={answerText(value)}
              onInput={(event) => put(withAnswerText(value, event.currentTarget.value))}
            />
            {otherContent(value).map((piece, index) => (
              <JsonTree key={index} value={piece} depth={2} name={contentType(piece)} />
            ))}
            <div class="line sample-ends">
              <label class="line tight">
                <span class="dim">as model</span>
                <input
                  class="input short"
                  value={answerField(value, 'model')}
                  onInput={(event) => put(withAnswerField(value, 'model', event.currentTarget.value))}
                />
              </label>
              <label class="line tight">
                <span class="dim">stops by</span>
                <select
                  class="input short"
                  value={reason}
                  onChange={(event) => put(withAnswerField(value, 'stopReason', event.currentTarget.value))}
                >
                  {[...new Set([...stopReasons, reason])].filter(Boolean).map((each) => (
                    <option key={each} value={each}>
                      {each}
                    </option>
                  ))}
                </select>
              </label>
            </div>
          </div>
        )}
      </div>
    </section>
  );
}

function contentType(piece: Json): string {
  return isRecord(piece) && typeof piece.type === 'string' ? piece.type : 'content';
}

/** A sampling request: the user writes the answer, or reviews a model's draft. */
export function SampleQuestion({ question: asked }: { question: Question }) {
  const { question, params } = asked;
  const pending = useRequest();
  // Question ids restart with another run of the inspector.
  const draftKey = `question ${getAppState().hello?.run ?? ''}.${question}`;
  const draft = useMemo(() => getDraft(draftKey, () => emptyAnswer), [draftKey]);
  const { messages, systemPrompt, ...rest } = params;
  const { value, parseError } = draft.value;
  const isEmpty = answerText(value) === '' && otherContent(value).length === 0;
  return (
    <>
      {typeof systemPrompt === 'string' ? <p class="asked-words dim">{systemPrompt}</p> : null}
      <div class="asked-words">
        {parseContent({ messages: (messages ?? []) as Json }).map((content, index) => (
          <ContentView key={index} content={content} />
        ))}
      </div>
      <SampleDetails params={params} />
      <details>
        <summary class="dim">Other parameters</summary>
        <JsonTree value={rest as Json} depth={1} />
      </details>
      <AskModel question={asked} draft={draft} draftKey={draftKey} isEmpty={isEmpty} />
      <SampleAnswer id={question} draft={draft} />
      <div class="line">
        <button
          type="button"
          class={`button ${isEmpty ? '' : 'primary'}`}
          disabled={pending.busy || isEmpty || parseError !== undefined}
          onClick={() => pending.run(() => request('answer', { question, answer: value as unknown as Answer }))}
        >
          Answer
        </button>
        <button
          type="button"
          class="button"
          disabled={pending.busy}
          onClick={() => pending.run(() => request('answer', { question, answer: { refuse: 'The user declined' } }))}
        >
          Refuse
        </button>
      </div>
      <ProblemBox error={pending.error} />
    </>
  );
}
