import type { Client } from '../../../client/client.ts';
import type { ClientInternals } from '../../../client/internals.ts';
import type { RequestOptions } from '../../../client/request-options.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import { taskResultType, tasksId } from '../protocol.ts';
import { legacyTaskSupport, maxPages, supportsLegacyTasks } from './legacy-calls.ts';
import {
  legacyFieldNames,
  legacyWire,
  extensionFieldNames,
  extensionWire,
  type TaskConnection,
  type TaskWire,
} from './task-wire.ts';
import { withRetry } from './retry.ts';
import { parseHandle, parseTask } from './parse-task.ts';
import { completedTask, type RemoteTask, remoteTask, type TaskHost, toHandle } from './remote-task.ts';
import { TaskGoneError } from './task-errors.ts';
import { isExpired, saveSafely, type TaskHandle } from './task-keeper.ts';
import type { TasksClient } from './tasks-client.ts';

/** Maximum number of tasks that are read from a server's list. */
const maxListed = 10_000;

/** The tasks of one server, as a client sees them. */
export interface RemoteTasks {
  /** Calls a tool, as a task if possible, without waiting for its end. */
  start(name: string, args?: Record<string, unknown>, options?: RequestOptions): Promise<RemoteTask>;
  /** Resumes a task by its id or handle. Rejects with a `TaskGoneError` if it is gone. */
  resume(task: string | TaskHandle): Promise<RemoteTask>;
  /** The stored tasks, and those the server lists if it has the legacy form. */
  list(): Promise<readonly TaskHandle[]>;
}

/** The tasks of the server behind a client. */
export function remoteTasks(client: Client, internals: ClientInternals): RemoteTasks {
  const { toolCalls } = internals;
  const host = createHost(internals);
  const { line: connection, keeper } = host;
  const isExperimental = client.era === 'handshake';
  const wireOf = isExperimental ? legacyWire : extensionWire;
  const supportsTasks = isExperimental && supportsLegacyTasks(client.capabilities);
  const supports = new Map<string, ReturnType<typeof legacyTaskSupport>>();

  async function isTask(name: string): Promise<boolean> {
    if (!supportsTasks) return false;
    if (!supports.has(name)) {
      for (const tool of await client.listTools().all()) supports.set(tool.name, legacyTaskSupport(tool));
    }
    return supports.get(name) !== undefined && supports.get(name) !== 'forbidden';
  }

  return {
    async start(name, args = {}, options = {}) {
      toolCalls.prepare(name);
      const params = { name, arguments: args };
      const answer = await toolCalls.callWithoutFollowing(
        (await isTask(name)) ? { ...params, task: {} } : params,
        options,
      );
      const given = isExperimental ? answer.task : answer.resultType === taskResultType ? answer : undefined;
      if (given === undefined) return completedTask(await toolCalls.finish(name, answer));
      const task = parseHandle(given, isExperimental ? legacyFieldNames : extensionFieldNames);
      const wire = wireOf(connection, task.taskId);
      await saveSafely(() => keeper?.put(toHandle(task, wire, name)), connection.warn);
      return remoteTask(host, wire, task, name);
    },
    async resume(given) {
      requireTasks(client);
      const saved = typeof given === 'string' ? (await keeper?.list())?.find(({ taskId }) => taskId === given) : given;
      const taskId = typeof given === 'string' ? given : given.taskId;
      const wire = wireOf(connection, taskId);
      try {
        const task = await withRetry(() => wire.get(), [connection.signal]);
        return remoteTask(host, wire, task, saved?.tool);
      } catch (error) {
        if (error instanceof TaskGoneError) await saveSafely(() => keeper?.delete(taskId), connection.warn);
        throw error;
      }
    },
    async list() {
      const saved = await listSaved(host);
      if (!listsTasks(client)) return saved;
      const listed = await listTasks(connection);
      return [...saved, ...listed.filter(({ taskId }) => !saved.some((each) => each.taskId === taskId))];
    },
  };
}

function createHost({ connection, toolCalls }: ClientInternals): TaskHost {
  const extensions = connection.options.extensions ?? [];
  const own = extensions.find(({ id }) => id === tasksId) as TasksClient | undefined;
  return {
    keeper: own?.keeper,
    finish: (tool, result) => toolCalls.finish(tool ?? '', result),
    line: {
      signal: connection.lifecycle.closedSignal,
      request: (method, params, options) => connection.request(method, params, { ...options, follow: false }),
      answer: (method, params, signal = connection.lifecycle.closedSignal) =>
        connection.incoming.answerQuestion(method, params, signal),
      listen: (wish, options) => connection.extensionRequests.subscribe(wish, options),
      warn: connection.warn,
    },
  };
}

function requireTasks(client: Client): void {
  if (client.era === 'handshake' ? supportsLegacyTasks(client.capabilities) : client.supports(tasksId)) return;
  if (client.era === 'handshake' || client.capabilities.extensions?.[tasksId] === undefined) {
    throw new TypeError('This server has no tasks: it does not declare them');
  }
  throw new TypeError('This client does not declare tasks: connect with extensions: [tasksClient()]');
}

/** The stored tasks. Expired ones are removed. */
async function listSaved({ keeper, line: connection }: TaskHost): Promise<readonly TaskHandle[]> {
  const all = (await keeper?.list()) ?? [];
  const over = all.filter(isExpired);
  for (const { taskId } of over) await saveSafely(() => keeper?.delete(taskId), connection.warn);
  return all.filter((handle) => !over.includes(handle));
}

/** True if the server lists the legacy tasks of its caller. */
function listsTasks({ era, capabilities }: Client): boolean {
  const { tasks } = capabilities as { tasks?: unknown };
  return era === 'handshake' && isObject(tasks) && isObject(tasks.list);
}

async function listTasks(connection: TaskConnection): Promise<TaskHandle[]> {
  const found: TaskHandle[] = [];
  let cursor: unknown;
  // A page may be empty and have a successor.
  for (let pages = 0; pages < maxPages && found.length < maxListed; pages += 1) {
    const page = await connection.request('tasks/list', cursor === undefined ? undefined : { cursor });
    const tasks: unknown[] = Array.isArray(page.tasks) ? page.tasks : [];
    for (const each of tasks) found.push(toHandle(parseTask(each, legacyFieldNames), experimental, undefined));
    cursor = page.nextCursor;
    if (typeof cursor !== 'string') break;
  }
  return found;
}

const experimental: Pick<TaskWire, 'form'> = { form: 'experimental' };
