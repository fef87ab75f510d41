import type { Client } from '../../../client/client.ts';
import { internalsOf } from '../../../client/internals.ts';
import type { RemoteTasks } from './remote-tasks.ts';

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
