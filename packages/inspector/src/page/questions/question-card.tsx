import type { ComponentChildren } from 'preact';
import { displayName } from '../model/display-name.ts';
import type { QuestionEntry } from '../model/app-state.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { useAppState } from '../model/store.ts';
import { Elapsed } from '../components/elapsed.tsx';
import { formatDuration } from '../components/format.ts';
import { AutoAnswerSwitch } from './model-settings.tsx';
import { FormQuestion } from './form-question.tsx';
import { SampleQuestion } from './sample-question.tsx';
import { UrlQuestion } from './url-question.tsx';

/** A question of a server: who asks, in which call, and a form to answer. */
export function QuestionCard({
  asked,
  aside,
}: {
  asked: QuestionEntry;
  /** More actions, depending on where it is shown. */
  aside?: ComponentChildren;
}) {
  const { connections, calls, modelRequests } = useAppState('connections', 'calls', 'questions');
  const { question, end } = asked;
  const call = question.call === undefined ? undefined : calls.get(question.call);
  const asks = connections.get(question.connection);
  const who = asks === undefined ? '' : displayName(asks, connections.values());
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
    const model = modelRequests.get(question.question);
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
        {aside}
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
