import type { ComponentChildren } from 'preact';
import { formatDuration } from '../components/format.ts';
import { Elapsed } from '../components/status.tsx';
import type { QuestionEntry } from '../model/app-state.ts';
import { displayName } from '../model/display-name.ts';
import { openedRecording } from '../model/route.ts';
import { useAppState } from '../model/store.ts';
import { AutoAnswerSwitch } from './model-settings.tsx';
import { SampleQuestion } from './sample-question.tsx';
import { FormQuestion, UrlQuestion } from './elicitation.tsx';

/** A question of a server: who asks, in which call, and a form to answer. */
export function QuestionCard({
  asked,
  actions,
}: {
  asked: QuestionEntry;
  /** More actions, depending on where it is shown. */
  actions?: ComponentChildren;
}) {
  const { connections, calls, modelAnswers } = useAppState('connections', 'calls', 'questions');
  const { question, end } = asked;
  const call = question.call === undefined ? undefined : calls.get(question.call);
  const asker = connections.get(question.connection);
  const who = asker === undefined ? '' : displayName(asker, connections.values());
  const what =
    question.method === 'sampling/createMessage'
      ? 'asks for a model response'
      : question.params.mode === 'url'
        ? 'asks you to visit a page'
        : 'asks you';
  const head = (
    <>
      {call?.start.by === 'view' ? 'A view of ' : null}
      <strong>{who}</strong> {what}
      {call?.start.subject === undefined ? null : (
        <>
          {' '}
          in <code>{call.start.subject}</code>
        </>
      )}
    </>
  );
  if (end !== undefined) {
    const model = modelAnswers.requests.get(question.question);
    const isByItself = model?.end?.outcome === 'sent';
    return (
      <p class="answered dim small">
        <span class="mark">?</span>
        <span>
          {head}: {end.outcome === 'answered' ? (end.action ?? 'answered') : end.outcome} after {formatDuration(end.ms)}
        </span>
        {isByItself ? <span class="note">by {model.start.model} itself</span> : null}
        {isByItself && openedRecording.value === undefined ? (
          <AutoAnswerSwitch connection={question.connection} />
        ) : null}
      </p>
    );
  }
  return (
    <section class="question" aria-label={`Question of ${who}`}>
      <p class="line">
        <span class="grow">{head}</span>
        <Elapsed since={question.at} />
        {actions}
      </p>
      {question.method === 'sampling/createMessage' ? (
        <SampleQuestion question={question} />
      ) : question.params.mode === 'url' ? (
        <UrlQuestion question={question} />
      ) : (
        <FormQuestion question={question} />
      )}
    </section>
  );
}
