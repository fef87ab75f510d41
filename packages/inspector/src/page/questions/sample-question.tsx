import type { Signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { isRecord, type Json } from '../../shared/json.ts';
import type { Question, SampleAnswer as Answer } from '../../shared/questions.ts';
import { Button, Select, Tabs } from '../components/controls.tsx';
import { ProblemBox, useRequest } from '../components/use-request.tsx';
import { ContentView, parseContent } from '../content/content-view.tsx';
import { JsonTree } from '../content/json-tree.tsx';
import { JsonDraft } from '../form/json-editor.tsx';
import { request } from '../model/api.ts';
import { createDraft, type Draft, getDraft } from '../model/drafts.ts';
import { getAppState } from '../model/store.ts';
import { AskModel } from './ask-model.tsx';
import {
  answerField,
  answerText,
  emptyAnswer,
  findSampleProblems,
  modelHints,
  otherContent,
  withAnswerField,
  withAnswerText,
} from './sample-draft.ts';

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
                <span class="dim">stop reason</span>
                <Select
                  class="input short"
                  value={reason}
                  options={[...new Set([...stopReasons, reason])].filter(Boolean).map((each) => [each, each])}
                  onChange={(chosen) => put(withAnswerField(value, 'stopReason', chosen))}
                />
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
      {typeof systemPrompt === 'string' ? <p class="question-text dim">{systemPrompt}</p> : null}
      <div class="question-text">
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
        <Button
          isPrimary={!isEmpty}
          pending={pending}
          disabled={isEmpty || parseError !== undefined}
          run={() => request('answer', { question, answer: value as unknown as Answer })}
        >
          Answer
        </Button>
        <Button pending={pending} run={() => request('answer', { question, answer: { reject: 'The user declined' } })}>
          Refuse
        </Button>
      </div>
      <ProblemBox error={pending.error} />
    </>
  );
}

/** Parameters of a sampling request, and its protocol violations. */
function SampleDetails({ params }: { params: Question['params'] }) {
  const { maxTokens, temperature, stopSequences, tools, toolChoice, includeContext, messages } = params;
  const facts = [
    typeof maxTokens === 'number' ? `at most ${maxTokens} tokens` : 'no maxTokens, which the protocol requires',
    ...(typeof temperature === 'number' ? [`temperature ${temperature}`] : []),
    ...(Array.isArray(stopSequences) && stopSequences.length > 0
      ? [`stops at ${stopSequences.length} ${stopSequences.length === 1 ? 'text' : 'texts'}`]
      : []),
    ...(Array.isArray(tools)
      ? [`${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}${formatToolChoice(toolChoice)}`]
      : []),
    ...(modelHints(params).length > 0 ? [`would like ${modelHints(params).join(', ')}`] : []),
    ...(includeContext === 'thisServer' || includeContext === 'allServers'
      ? [`wants context (${includeContext}), which is not supported: none is added`]
      : []),
  ];
  const faults = findSampleProblems(messages);
  return (
    <>
      <p class="dim small">{facts.join(' · ')}</p>
      {faults.length === 0 ? null : (
        <ul class="small">
          {faults.map((fault) => (
            <li key={fault} class="note">
              ▲ {fault}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function formatToolChoice(choice: unknown): string {
  const mode = (choice as { mode?: unknown } | null | undefined)?.mode;
  return typeof mode === 'string' ? `, ${mode.slice(0, 20)}` : '';
}
