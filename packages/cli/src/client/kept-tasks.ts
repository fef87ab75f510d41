import type { TaskHandle, TaskKeeper } from '@ccmcp/core/tasks';
import type { ClientOptions } from './options.ts';
import type { Target } from './target.ts';

/**
 * Where the tasks of this user at a server are kept, apart for each login. Undefined for a server that the command starts: its
 * tasks end with it.
 */
export function keptTasks(target: Target, { headers }: Pick<ClientOptions, 'headers'>): TaskKeeper | undefined {
  if (target.kind !== 'url') return undefined;
  const { url } = target;
  // Loaded when there is a task: hardly any command needs it.
  const file = async () => (await import('./kept-tasks-file.ts')).keptTasksFile(url, headers);
  return {
    put: async (handle: TaskHandle) => (await file()).put(handle),
    delete: async (taskId: string) => (await file()).delete(taskId),
    list: async () => (await file()).list(),
  };
}
