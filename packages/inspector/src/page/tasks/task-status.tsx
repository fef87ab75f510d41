import type { TaskState } from '../../shared/calls.ts';
import { Button } from '../components/controls.tsx';
import type { Call } from '../model/app-state.ts';
import { navigate } from '../model/route.ts';
import { useAppState } from '../model/store.ts';

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
      <span class="grow truncate">{task.message}</span>
      {server === undefined ? null : (
        <Button class="quiet" onClick={() => navigate({ server, section: 'tasks' })}>
          All tasks
        </Button>
      )}
    </div>
  );
}
