import { useState } from 'preact/hooks';
import { Button } from '../components/controls.tsx';
import { Elapsed } from '../components/status.tsx';
import { displayName } from '../model/display-name.ts';
import { sectionForMethod } from '../model/replay.ts';
import { navigate, route } from '../model/route.ts';
import { useAppState } from '../model/store.ts';
import { QuestionCard } from './question-card.tsx';

/** Pending questions that the current view does not show: a card for those outside of a call, a link for the others. */
export function QuestionTray() {
  const { questions, calls, connections, tasks } = useAppState('questions', 'calls', 'connections', 'work');
  // A question outside of a call covers the view, so it can be postponed.
  const [postponed, setPostponed] = useState<ReadonlySet<string>>(new Set());
  const open = [...questions.values()].filter(({ end }) => end === undefined);
  const { server, section, name } = route.value;
  const elsewhere = open.filter(({ question }) => {
    const call = question.call === undefined ? undefined : calls.get(question.call);
    // Calls by a view appear in the timeline only.
    if (call === undefined || call.start.by === 'view') return true;
    if (connections.get(question.connection)?.label !== server) return true;
    if (section === 'tasks') return ![...tasks.values()].some((task) => task.call === question.call);
    return sectionForMethod(call.start.method) !== section || call.start.subject !== name;
  });
  if (elsewhere.length === 0) return null;
  return (
    <aside class="question-tray" aria-label="Questions">
      {elsewhere.map((asked) => {
        const call = asked.question.call === undefined ? undefined : calls.get(asked.question.call);
        const asker = connections.get(asked.question.connection);
        const there = call === undefined ? undefined : sectionForMethod(call.start.method);
        const id = asked.question.question;
        const who = <strong>{asker === undefined ? '' : displayName(asker, connections.values())}</strong>;
        if (call === undefined || there === undefined || call.start.by === 'view') {
          const postponeButton = (
            <Button class="quiet" onClick={() => setPostponed(new Set([...postponed, id]))}>
              Later
            </Button>
          );
          return postponed.has(id) ? (
            <p key={id} class="line">
              <span class="grow">{who} asks you</span>
              <Elapsed since={asked.question.at} />
              <Button onClick={() => setPostponed(new Set([...postponed].filter((each) => each !== id)))}>Show</Button>
            </p>
          ) : (
            <QuestionCard key={id} asked={asked} actions={postponeButton} />
          );
        }
        return (
          <p key={id} class="line">
            <span class="grow">
              {who} asks in <code>{call.start.subject}</code>
            </span>
            <Button onClick={() => navigate({ server: asker?.label, section: there, name: call.start.subject })}>
              Go there
            </Button>
          </p>
        );
      })}
    </aside>
  );
}
