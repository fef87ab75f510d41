import { useMemo, useState } from 'preact/hooks';
import type { Question } from '../../shared/questions.ts';
import { ArgumentsView } from '../detail/arguments-view.tsx';
import { useValidation } from '../detail/use-validation.ts';
import { withDefaults } from '../form/initial-value.ts';
import { request } from '../model/api.ts';
import { getDraft } from '../model/drafts.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { useRequest } from '../components/use-request.ts';
import { stringOrEmpty } from '../form/json.ts';

/** A form elicitation. */
export function FormQuestion({ question: { question, params } }: { question: Question }) {
  const schema = params.requestedSchema ?? { type: 'object' };
  const draft = useMemo(() => getDraft(`question ${question}`, () => withDefaults(schema)), []);
  const [isTried, setTried] = useState(false);
  const { value, parseError } = draft.value;
  const { problems, currentProblems } = useValidation(schema, value);
  const pending = useRequest();
  const answer = (action: 'accept' | 'decline' | 'cancel') => {
    setTried(true);
    if (action === 'accept' && currentProblems > 0 && !isTried) return;
    const content = action === 'accept' ? { content: (value ?? {}) as Readonly<Record<string, unknown>> } : {};
    pending.run(() => request('answer', { question, answer: { action, ...content } }));
  };
  return (
    <>
      <p class="asked-words">{stringOrEmpty(params.message)}</p>
      <ArgumentsView
        id={`question-${question}`}
        draft={draft}
        schema={schema}
        problems={problems}
        isTried={isTried}
        isInAddress={false}
      />
      <div class="line">
        <button
          type="button"
          class="button primary"
          disabled={pending.busy || parseError !== undefined}
          onClick={() => answer('accept')}
        >
          {isTried && currentProblems > 0 ? 'Answer anyway' : 'Answer'}
        </button>
        <button type="button" class="button" disabled={pending.busy} onClick={() => answer('decline')}>
          Decline
        </button>
        <button type="button" class="button" disabled={pending.busy} onClick={() => answer('cancel')}>
          Cancel
        </button>
      </div>
      <ProblemBox error={pending.error} />
    </>
  );
}
