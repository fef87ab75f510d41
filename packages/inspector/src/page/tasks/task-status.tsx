import type { TaskState } from '../../shared/calls.ts';
import { navigate } from '../model/route.ts';
import { useAppState } from '../model/store.ts';
import type { Call } from '../model/app-state.ts';

const statusStyles: Readonly<Record<string, readonly [shape: string, tone: string]>> = {
  working: ['◐', 'accent'],
  input_required: ['?', 'note'],
  completed: ['✓', 'ok'],
  failed: ['✕', 'bad'],
  cancelled: ['○', 'dim'],
};

/** Latest status of a task. */
export function TaskStatus({ task: { status } }: { task: TaskState }) {
  const [shape, tone] = statusStyles[status] ?? ['·', 'dim'];
  return (
    <span class={tone}>
      {shape} {status.replace('_', ' ')}
    </span>
  );
}

/** The task that a call created, with its status. */
export function CallTask({ call: { start } }: { call: Call }) {
  const { tasks, connections } = useAppState('work', 'connections');
  const task = [...tasks.values()].find(({ call }) => call === start.call);
  const server = connections.get(start.connection)?.label;
  if (task === undefined) return null;
  return (
    <div class="line" role="group" aria-label="Task">
      <span class="tag">task</span>
      <TaskStatus task={task} />
      <span class="grow cut">{task.says}</span>
      {server === undefined ? null : (
        <button type="button" class="quiet" onClick={() => navigate({ server, section: 'tasks' })}>
          All tasks
        </button>
      )}
    </div>
  );
}
