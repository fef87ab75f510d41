import type { TaskState } from '../../shared/calls.ts';
import { goTo } from '../model/route.ts';
import { useWorld } from '../model/store.ts';
import type { Call } from '../model/app-state.ts';

const looks: Readonly<Record<string, readonly [shape: string, tone: string]>> = {
  working: ['◐', 'accent'],
  input_required: ['?', 'note'],
  completed: ['✓', 'ok'],
  failed: ['✕', 'bad'],
  cancelled: ['○', 'dim'],
};

/** How a task is, as its server last said. */
export function TaskStatus({ task: { status } }: { task: TaskState }) {
  const [shape, tone] = looks[status] ?? ['·', 'dim'];
  return (
    <span class={tone}>
      {shape} {status.replace('_', ' ')}
    </span>
  );
}

/** Says of a call that it has become a task, and how that is. */
export function TaskLine({ call: { start } }: { call: Call }) {
  const { tasks, connections } = useWorld('work', 'connections');
  const task = [...tasks.values()].find(({ call }) => call === start.call);
  const server = connections.get(start.connection)?.label;
  if (task === undefined) return null;
  return (
    <div class="line" role="group" aria-label="Task">
      <span class="tag">task</span>
      <TaskStatus task={task} />
      <span class="grow cut">{task.says}</span>
      {server === undefined ? null : (
        <button type="button" class="quiet" onClick={() => goTo({ server, section: 'tasks' })}>
          All tasks
        </button>
      )}
    </div>
  );
}
