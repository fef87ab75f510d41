import { isTaskFinished, type TaskState } from '../../shared/calls.ts';
import type { Connection } from '../../shared/connections.ts';
import type { NumberedEvent } from '../../shared/events.ts';
import { isRecord, type Json } from '../../shared/json.ts';
import { Button, LiveOnly } from '../components/controls.tsx';
import { formatTime } from '../components/format.ts';
import { ProblemBox, useRequest } from '../components/use-request.tsx';
import { JsonTree } from '../content/json-tree.tsx';
import { request } from '../model/api.ts';
import { displayName } from '../model/display-name.ts';
import { sectionForMethod } from '../model/replay.ts';
import { navigate } from '../model/route.ts';
import { useAppState } from '../model/store.ts';
import { QuestionCard } from '../questions/question-card.tsx';
import { TaskStatus } from './task-status.tsx';

/** Tasks of a server: status, questions, and a cancel button. */
export function TasksPage({ connection }: { connection: Connection }) {
  const { tasks } = useAppState('work');
  const pending = useRequest();
  const own = [...tasks.values()].filter((task) => task.connection === connection.id).reverse();
  return (
    <div class="page">
      <header>
        <h1>Tasks</h1>
        <span class="dim">of {displayName(connection)}</span>
      </header>
      <ProblemBox error={pending.error} />
      {canListTasks(connection) ? (
        <div class="line">
          <Button
            pending={pending}
            disabled={connection.status.is !== 'connected'}
            run={() => request('call', { connection: connection.id, method: 'tasks/list' })}
          >
            List all tasks of the server
          </Button>
        </div>
      ) : null}
      {own.length === 0 ? (
        <p class="dim">No tasks yet. A call becomes a task if its tool requires it, or if you choose so.</p>
      ) : null}
      {own.map((task) => (
        <TaskView key={task.task} connection={connection} task={task} />
      ))}
    </div>
  );
}

/** Whether the server lists its tasks, which only revisions with a handshake allow. */
function canListTasks({ server }: Connection): boolean {
  const { tasks } = server?.capabilities ?? {};
  return server?.era === 'handshake' && isRecord(tasks) && isRecord(tasks.list);
}

function TaskView({ connection, task }: { connection: Connection; task: TaskState & NumberedEvent }) {
  const { calls, questions } = useAppState('calls', 'questions');
  const pending = useRequest();
  const call = task.call === undefined ? undefined : calls.get(task.call);
  const open = (call?.questions ?? []).flatMap((id) => {
    const asked = questions.get(id);
    return asked === undefined || asked.end !== undefined ? [] : [asked];
  });
  const section = call === undefined ? undefined : sectionForMethod(call.start.method);
  return (
    <section class="block" aria-label={`Task ${task.task}`}>
      <div class="line">
        <TaskStatus task={task} />
        <strong>{call?.start.subject ?? ''}</strong>
        <code class="dim grow truncate">{task.task}</code>
        <span class="dim small">{formatTime(task.at)}</span>
        {call === undefined || section === undefined ? null : (
          <Button
            class="quiet"
            onClick={() => navigate({ server: connection.label, section, name: call.start.subject })}
          >
            Show the call
          </Button>
        )}
        {isTaskFinished(task.status) ? null : (
          <LiveOnly>
            <Button
              class="quiet"
              pending={pending}
              run={() =>
                request('call', { connection: connection.id, method: 'tasks/cancel', params: { taskId: task.task } })
              }
            >
              Cancel
            </Button>
          </LiveOnly>
        )}
      </div>
      {task.message === undefined ? null : <p>{task.message}</p>}
      <ProblemBox error={pending.error} />
      {open.map((asked) => (
        <QuestionCard key={asked.question.question} asked={asked} />
      ))}
      <JsonTree value={task.value as Json} depth={0} name="raw" />
    </section>
  );
}
