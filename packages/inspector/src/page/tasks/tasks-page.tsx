import { type TaskState, taskIsOver } from '../../shared/calls.ts';
import type { Connection } from '../../shared/connections.ts';
import type { Numbered } from '../../shared/events.ts';
import { isRecord, type Json } from '../form/json.ts';
import { ask } from '../model/api.ts';
import { goTo } from '../model/route.ts';
import { shownName } from '../model/display-name.ts';
import { useWorld } from '../model/store.ts';
import { timeOfDay } from '../components/format.ts';
import { LiveOnly } from '../components/live-only.tsx';
import { ProblemBox } from '../components/problem-box.tsx';
import { useAsking } from '../components/use-request.ts';
import { QuestionCard } from '../questions/question-card.tsx';
import { JsonTree } from '../result/json-tree.tsx';
import { sectionOf } from '../replay/replay.ts';
import { TaskStatus } from './task-status.tsx';

/** The tasks of a server: how they are, what they ask, and a way to cancel them. */
export function TasksPage({ connection }: { connection: Connection }) {
  const { tasks } = useWorld('work');
  const asking = useAsking();
  const own = [...tasks.values()].filter((task) => task.connection === connection.id).reverse();
  return (
    <div class="page">
      <header>
        <h1>Tasks</h1>
        <span class="dim">of {shownName(connection)}</span>
      </header>
      <ProblemBox error={asking.error} />
      {listsTasks(connection) ? (
        <div class="line">
          <button
            type="button"
            class="button"
            disabled={asking.busy || connection.status.is !== 'connected'}
            onClick={() => asking.run(() => ask('call', { connection: connection.id, method: 'tasks/list' }))}
          >
            Ask for all that the server has
          </button>
        </div>
      ) : null}
      {own.length === 0 ? (
        <p class="dim">
          No call has become a task yet. One does where its tool says that it runs as a task, and where you choose so.
        </p>
      ) : null}
      {own.map((task) => (
        <TaskView key={task.task} connection={connection} task={task} />
      ))}
    </div>
  );
}

/** Whether the server tells which tasks it has, which is so in the form with a handshake only. */
function listsTasks({ server }: Connection): boolean {
  const { tasks } = server?.capabilities ?? {};
  return server?.era === 'handshake' && isRecord(tasks) && isRecord(tasks.list);
}

function TaskView({ connection, task }: { connection: Connection; task: TaskState & Numbered }) {
  const { calls, questions } = useWorld('calls', 'questions');
  const asking = useAsking();
  const call = task.call === undefined ? undefined : calls.get(task.call);
  const open = (call?.questions ?? []).flatMap((id) => {
    const asked = questions.get(id);
    return asked === undefined || asked.end !== undefined ? [] : [asked];
  });
  const section = call === undefined ? undefined : sectionOf(call.start.method);
  return (
    <section class="block" aria-label={`Task ${task.task}`}>
      <div class="line">
        <TaskStatus task={task} />
        <strong>{call?.start.subject ?? ''}</strong>
        <code class="dim grow cut">{task.task}</code>
        <span class="dim small">{timeOfDay(task.at)}</span>
        {call === undefined || section === undefined ? null : (
          <button
            type="button"
            class="quiet"
            onClick={() => goTo({ server: connection.label, section, name: call.start.subject })}
          >
            Show the call
          </button>
        )}
        {taskIsOver(task.status) ? null : (
          <LiveOnly>
            <button
              type="button"
              class="quiet"
              disabled={asking.busy}
              onClick={() =>
                asking.run(() =>
                  ask('call', { connection: connection.id, method: 'tasks/cancel', params: { taskId: task.task } }),
                )
              }
            >
              Cancel
            </button>
          </LiveOnly>
        )}
      </div>
      {task.says === undefined ? null : <p>{task.says}</p>}
      <ProblemBox error={asking.error} />
      {open.map((asked) => (
        <QuestionCard key={asked.question.question} asked={asked} />
      ))}
      <JsonTree value={task.value as Json} depth={0} name="as the server told" />
    </section>
  );
}
