import type { ComponentChildren } from 'preact';
import { shownName } from '../model/display-name.ts';
import type { Asked } from '../model/app-state.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { useWorld } from '../model/store.ts';
import { Elapsed } from '../components/elapsed.tsx';
import { duration } from '../components/format.ts';
import { ByItselfSwitch } from './model-settings.tsx';
import { FormQuestion } from './form-question.tsx';
import { SampleQuestion } from './sample-question.tsx';
import { UrlQuestion } from './url-question.tsx';

/** A question of a server, where it came up: who asks, in which call, and a way to answer. */
export function QuestionCard({
  asked,
  aside,
}: {
  asked: Asked;
  /** What else can be done with it where it stands. */
  aside?: ComponentChildren;
}) {
  const { connections, calls, askedModels } = useWorld('connections', 'calls', 'questions');
  const { question, end } = asked;
  const call = question.call === undefined ? undefined : calls.get(question.call);
  const asks = connections.get(question.connection);
  const who = asks === undefined ? '' : shownName(asks, connections.values());
  const what =
    question.method === 'sampling/createMessage'
      ? 'asks for an answer of a model'
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
    const model = askedModels.get(question.question);
    const isByItself = model?.end?.outcome === 'sent';
    return (
      <p class="answered dim small">
        <span class="mark">?</span>
        <span>
          {head}: {end.outcome === 'answered' ? (end.action ?? 'answered') : end.outcome} after {duration(end.ms)}
        </span>
        {isByItself ? <span class="note">by {model.start.model} itself</span> : null}
        {isByItself && openedRecording.value === undefined ? <ByItselfSwitch connection={question.connection} /> : null}
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
