import { useMemo, useState } from 'preact/hooks';
import type { Question } from '../../shared/questions.ts';
import { ArgumentsView } from '../detail/arguments-view.tsx';
import { useProblems } from '../detail/use-validation.ts';
import { withDefaults } from '../form/initial-value.ts';
import { ask } from '../model/api.ts';
import { draftFor } from '../model/drafts.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { useAsking } from '../components/use-request.ts';
import { textOf } from '../form/json.ts';

/** A form that the server wants filled in. */
export function FormQuestion({ question: { question, params } }: { question: Question }) {
  const schema = params.requestedSchema ?? { type: 'object' };
  const draft = useMemo(() => draftFor(`question ${question}`, () => withDefaults(schema)), []);
  const [isTried, setTried] = useState(false);
  const { value, mistake } = draft.value;
  const { problems, obstacles } = useProblems(schema, value);
  const asking = useAsking();
  const answer = (action: 'accept' | 'decline' | 'cancel') => {
    setTried(true);
    if (action === 'accept' && obstacles > 0 && !isTried) return;
    const content = action === 'accept' ? { content: (value ?? {}) as Readonly<Record<string, unknown>> } : {};
    asking.run(() => ask('answer', { question, answer: { action, ...content } }));
  };
  return (
    <>
      <p class="asked-words">{textOf(params.message)}</p>
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
          disabled={asking.busy || mistake !== undefined}
          onClick={() => answer('accept')}
        >
          {isTried && obstacles > 0 ? 'Answer anyway' : 'Answer'}
        </button>
        <button type="button" class="button" disabled={asking.busy} onClick={() => answer('decline')}>
          Decline
        </button>
        <button type="button" class="button" disabled={asking.busy} onClick={() => answer('cancel')}>
          Cancel
        </button>
      </div>
      <ProblemBox error={asking.error} />
    </>
  );
}
