import { join } from 'node:path';
import type { TaskHandle, TaskKeeper } from '@ccmcp/core/tasks';
import { withFileLock } from '../../system/file-lock.ts';
import { openLoginStore } from '../sign-in/login-store.ts';
import {
  type PrivateFolder,
  privateFolder,
  shortHash,
  type Platform,
  stateFolder,
  thisPlatform,
} from '../../system/private-folder.ts';
import { isCredential } from '../../config/server-entry.ts';

/** The maximum number of stored tasks per server; the oldest are deleted. */
const most = 1000;

/** The file with the tasks of one user at one server. */
export async function openTaskFile(
  url: URL,
  headers: Readonly<Record<string, string>>,
  system: Platform = thisPlatform,
): Promise<TaskKeeper> {
  const folder = privateFolder(taskFolder(system), 'delete it: the ids of tasks in it are lost then');
  const name = shortHash(JSON.stringify([url.href, await taskOwner(url, headers, system)]));
  const change = async (changed: (handles: readonly TaskHandle[]) => readonly TaskHandle[]): Promise<void> => {
    await folder.ready();
    await withFileLock(join(folder.path, `${name}.lock`), async () => {
      const left = changed(await read(folder, name)).slice(-most);
      if (left.length === 0) await folder.delete(`${name}.json`);
      else await folder.write(`${name}.json`, `${JSON.stringify({ format: 1, url: url.href, tasks: left })}\n`);
    });
  };
  return {
    put: (handle) => change((handles) => [...handles.filter(({ taskId }) => taskId !== handle.taskId), handle]),
    async delete(taskId) {
      const isKept = (await read(folder, name)).some((handle) => handle.taskId === taskId);
      if (isKept) await change((handles) => handles.filter((handle) => handle.taskId !== taskId));
    },
    list: () => read(folder, name),
  };
}

/** The folder of stored tasks. `CCMCP_TASKS` names another one. */
function taskFolder({ env, platform }: Platform): string {
  return env.CCMCP_TASKS || join(stateFolder(env, platform), 'ccmcp', 'tasks');
}

/** The owner of tasks: a digest of the credentials on the command line, or the login. */
async function taskOwner(url: URL, headers: Readonly<Record<string, string>>, system: Platform): Promise<string> {
  const given = Object.entries(headers).filter(([name]) => isCredential(name));
  if (given.length > 0)
    return `credentials ${shortHash(JSON.stringify(given.map(([name, value]) => [name.toLowerCase(), value])))}`;
  const { login } = await openLoginStore(system).find(url);
  return login === undefined ? 'nobody' : `login ${login.issuer} ${login.resource}`;
}

async function read(folder: PrivateFolder, name: string): Promise<readonly TaskHandle[]> {
  const text = await folder.read(`${name}.json`);
  if (text === undefined) return [];
  const path = join(folder.path, `${name}.json`);
  try {
    const { format, tasks } = JSON.parse(text) as { format?: unknown; tasks?: unknown };
    if (format === 1 && Array.isArray(tasks)) return tasks.filter(isHandle);
  } catch {
    // Reported below.
  }
  throw new Error(`${path} is damaged, or of a newer version of this program: update it, or delete the file`);
}

function isHandle(value: unknown): value is TaskHandle {
  const { taskId, form, createdAt, ttlMs } = Object(value) as Record<string, unknown>;
  const isTimed = ttlMs === null || typeof ttlMs === 'number';
  return typeof taskId === 'string' && typeof form === 'string' && typeof createdAt === 'string' && isTimed;
}
