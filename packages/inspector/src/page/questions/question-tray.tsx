import { useState } from 'preact/hooks';
import { goTo, place } from '../model/route.ts';
import { shownName } from '../model/display-name.ts';
import { useWorld } from '../model/store.ts';
import { Elapsed } from '../components/elapsed.tsx';
import { sectionOf } from '../replay/replay.ts';
import { QuestionCard } from './question-card.tsx';

/** Questions that wait elsewhere than where one looks: those outside of a call, and a way to the others. */
export function StrayQuestions() {
  const { questions, calls, connections, tasks } = useWorld('questions', 'calls', 'connections', 'work');
  // A question that belongs nowhere lies above whatever one looks at: it can be put off.
  const [later, setLater] = useState<ReadonlySet<string>>(new Set());
  const open = [...questions.values()].filter(({ end }) => end === undefined);
  const { server, section, name } = place.value;
  const stray = open.filter(({ question }) => {
    const call = question.call === undefined ? undefined : calls.get(question.call);
    // What a view called is shown nowhere but in the timeline.
    if (call === undefined || call.start.by === 'view') return true;
    if (connections.get(question.connection)?.label !== server) return true;
    if (section === 'tasks') return ![...tasks.values()].some((task) => task.call === question.call);
    return sectionOf(call.start.method) !== section || call.start.subject !== name;
  });
  if (stray.length === 0) return null;
  return (
    <aside class="stray" aria-label="Questions">
      {stray.map((asked) => {
        const call = asked.question.call === undefined ? undefined : calls.get(asked.question.call);
        const asks = connections.get(asked.question.connection);
        const there = call === undefined ? undefined : sectionOf(call.start.method);
        const id = asked.question.question;
        const who = <strong>{asks === undefined ? '' : shownName(asks, connections.values())}</strong>;
        if (call === undefined || there === undefined || call.start.by === 'view') {
          const putOff = (
            <button type="button" class="quiet" onClick={() => setLater(new Set([...later, id]))}>
              Later
            </button>
          );
          return later.has(id) ? (
            <p key={id} class="line">
              <span class="grow">{who} asks you</span>
              <Elapsed since={asked.question.at} />
              <button
                type="button"
                class="button"
                onClick={() => setLater(new Set([...later].filter((each) => each !== id)))}
              >
                Show
              </button>
            </p>
          ) : (
            <QuestionCard key={id} asked={asked} aside={putOff} />
          );
        }
        return (
          <p key={id} class="line">
            <span class="grow">
              {who} asks in <code>{call.start.subject}</code>
            </span>
            <button
              type="button"
              class="button"
              onClick={() => goTo({ server: asks?.label, section: there, name: call.start.subject })}
            >
              Go there
            </button>
          </p>
        );
      })}
    </aside>
  );
}
