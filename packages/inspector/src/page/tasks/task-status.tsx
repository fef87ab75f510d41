import type { TaskState } from '../../shared/calls.ts';

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
