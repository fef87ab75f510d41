import type { Signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { type Draft, draftOf } from '../form/draft.ts';
import { isRecord, type Json } from '../form/json.ts';
import { JsonDraft } from '../form/json-draft.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { JsonTree } from '../result/json-tree.tsx';
import { answerFact, answerText, otherPieces, withAnswerFact, withAnswerText } from './sample-draft.ts';

const reasons = ['endTurn', 'stopSequence', 'maxTokens', 'toolUse'];

/** The answer to a request for a sample, as it is written: its text, or all of it as JSON. */
export function SampleAnswer({ id, draft }: { id: string; draft: Signal<Draft> }) {
  const [view, setView] = useState<'text' | 'json'>('text');
  const { value } = draft.value;
  const put = (answer: Json) => (draft.value = { ...draft.value, ...draftOf(answer) });
  const reason = answerFact(value, 'stopReason');
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
          <JsonDraft draft={draft} label="The answer as JSON" />
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
            {otherPieces(value).map((piece, index) => (
              <JsonTree key={index} value={piece} depth={2} name={kindOf(piece)} />
            ))}
            <div class="line sample-ends">
              <label class="line tight">
                <span class="dim">as model</span>
                <input
                  class="input short"
                  value={answerFact(value, 'model')}
                  onInput={(event) => put(withAnswerFact(value, 'model', event.currentTarget.value))}
                />
              </label>
              <label class="line tight">
                <span class="dim">stops by</span>
                <select
                  class="input short"
                  value={reason}
                  onChange={(event) => put(withAnswerFact(value, 'stopReason', event.currentTarget.value))}
                >
                  {[...new Set([...reasons, reason])].filter(Boolean).map((each) => (
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

function kindOf(piece: Json): string {
  return isRecord(piece) && typeof piece.type === 'string' ? piece.type : 'content';
}
