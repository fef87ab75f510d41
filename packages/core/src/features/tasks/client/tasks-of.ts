import type { Client } from '../../../client/client.ts';
import { internalsOf } from '../../../client/internals.ts';
import type { RequestOptions } from '../../../client/request-options.ts';
import type { RemoteTask } from './remote-task.ts';
import type { TaskHandle } from './task-keeper.ts';

/** The tasks of one server, as a client sees them. */
export interface RemoteTasks {
  /** Calls a tool, as a task if possible, without waiting for its end. */
  start(name: string, args?: Record<string, unknown>, options?: RequestOptions): Promise<RemoteTask>;
  /** Resumes a task by its id or handle. Rejects with a `TaskGoneError` if it is gone. */
  resume(task: string | TaskHandle): Promise<RemoteTask>;
  /** The stored tasks, and those the server lists if it has the legacy form. */
  list(): Promise<readonly TaskHandle[]>;
}

/** The tasks of the server behind a client. The code is loaded with the first request: servers with tasks need none of it. */
export function tasksOf(client: Client): RemoteTasks {
  const internals = internalsOf(client);
  let loading: Promise<RemoteTasks> | undefined;
  const load = (): Promise<RemoteTasks> => {
    loading ??= import('./remote-tasks.ts').then(({ remoteTasks }) => remoteTasks(client, internals));
    return loading;
  };
  return {
    start: async (...args) => (await load()).start(...args),
    resume: async (task) => (await load()).resume(task),
    list: async () => (await load()).list(),
  };
}
