import type { Client } from '../../../client/client.ts';
import { type ClientInside, insideOf } from '../../../client/internals.ts';
import type { RequestOptions } from '../../../client/request-options.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import { limits } from '../../../limits.ts';
import { taskResultType, tasksId } from '../protocol.ts';
import { takesTasks, taskSupportOf } from './legacy-calls.ts';
import { experimentalNames, experimentalWire } from './task-wire.ts';
import { extensionNames, extensionWire } from './task-wire.ts';
import { patiently } from './retry.ts';
import { readHandle, readTask } from './parse-task.ts';
import { finishedTask, handleOf, type RemoteTask, remoteTask, type TaskHome } from './remote-task.ts';
import { TaskGoneError } from './task-errors.ts';
import { isExpired, keep, type TaskHandle } from './task-keeper.ts';
import type { TaskLine, TaskWire } from './task-wire.ts';
import type { TasksClient } from './tasks-client.ts';

const mostListed = limits.clientTasks.listed.value;
const mostPages = limits.client.pages.value;

/** The tasks of one server, as a client sees them. */
export interface RemoteTasks {
  /** Calls a tool, as a task where that can be, and does not wait for its end. */
  start(name: string, args?: Record<string, unknown>, options?: RequestOptions): Promise<RemoteTask>;
  /** Comes back to a task, by its id or what was kept of it. Rejects with a `TaskGoneError` where it is gone. */
  resume(task: string | TaskHandle): Promise<RemoteTask>;
  /** The tasks that are kept, and those that the server lists, where it has the experimental form. */
  list(): Promise<readonly TaskHandle[]>;
}

/** The tasks of the server behind a client. */
export function tasksOf(client: Client): RemoteTasks {
  const inside = insideOf(client);
  const home = homeOf(inside);
  const { line, keeper } = home;
  const isExperimental = client.era === 'handshake';
  const wireOf = isExperimental ? experimentalWire : extensionWire;
  const takes = isExperimental && takesTasks(client.capabilities);
  const supports = new Map<string, ReturnType<typeof taskSupportOf>>();

  async function isTask(name: string): Promise<boolean> {
    if (!takes) return false;
    if (!supports.has(name)) {
      for (const tool of await client.listTools().all()) supports.set(tool.name, taskSupportOf(tool));
    }
    return supports.get(name) !== undefined && supports.get(name) !== 'forbidden';
  }

  return {
    async start(name, args = {}, options = {}) {
      inside.prepare(name);
      const params = { name, arguments: args };
      const answer = await inside.call((await isTask(name)) ? { ...params, task: {} } : params, options);
      const given = isExperimental ? answer.task : answer.resultType === taskResultType ? answer : undefined;
      if (given === undefined) return finishedTask(await inside.finish(name, answer));
      const task = readHandle(given, isExperimental ? experimentalNames : extensionNames);
      const wire = wireOf(line, task.taskId);
      await keep(() => keeper?.put(handleOf(task, wire, name)), line.warn);
      return remoteTask(home, wire, task, name);
    },
    async resume(given) {
      requireTasks(client);
      const kept = typeof given === 'string' ? (await keeper?.list())?.find(({ taskId }) => taskId === given) : given;
      const taskId = typeof given === 'string' ? given : given.taskId;
      const wire = wireOf(line, taskId);
      try {
        const task = await patiently(() => wire.get(), [line.signal]);
        return remoteTask(home, wire, task, kept?.tool);
      } catch (error) {
        if (error instanceof TaskGoneError) await keep(() => keeper?.delete(taskId), line.warn);
        throw error;
      }
    },
    async list() {
      const kept = await current(home);
      if (!lists(client)) return kept;
      const listed = await listTasks(line);
      return [...kept, ...listed.filter(({ taskId }) => !kept.some((each) => each.taskId === taskId))];
    },
  };
}

function homeOf({ conversation, finish }: ClientInside): TaskHome {
  const extensions = conversation.options.extensions ?? [];
  const own = extensions.find(({ id }) => id === tasksId) as TasksClient | undefined;
  return {
    keeper: own?.keeper,
    finish: (tool, result) => finish(tool ?? '', result),
    line: {
      signal: conversation.over,
      request: (method, params, options) => conversation.request(method, params, { ...options, follow: false }),
      answer: (method, params, signal = conversation.over) => conversation.answerOne(method, params, signal),
      listen: (wish, options) => conversation.listenFor(wish, options),
      warn: (text) => conversation.warn(text),
    },
  };
}

function requireTasks(client: Client): void {
  if (client.era === 'handshake' ? takesTasks(client.capabilities) : client.supports(tasksId)) return;
  if (client.era === 'handshake' || client.capabilities.extensions?.[tasksId] === undefined) {
    throw new TypeError('This server has no tasks: it does not declare them');
  }
  throw new TypeError('This client does not declare tasks: connect with extensions: [tasksClient()]');
}

/** The tasks that are kept. Those whose time is over are dropped. */
async function current({ keeper, line }: TaskHome): Promise<readonly TaskHandle[]> {
  const all = (await keeper?.list()) ?? [];
  const over = all.filter(isExpired);
  for (const { taskId } of over) await keep(() => keeper?.delete(taskId), line.warn);
  return all.filter((handle) => !over.includes(handle));
}

/** Whether a server lists the experimental tasks of its caller. */
function lists({ era, capabilities }: Client): boolean {
  const { tasks } = capabilities as { tasks?: unknown };
  return era === 'handshake' && isObject(tasks) && isObject(tasks.list);
}

async function listTasks(line: TaskLine): Promise<TaskHandle[]> {
  const found: TaskHandle[] = [];
  let cursor: unknown;
  // A page may be empty though others follow.
  for (let pages = 0; pages < mostPages && found.length < mostListed; pages += 1) {
    const page = await line.request('tasks/list', cursor === undefined ? undefined : { cursor });
    const tasks: unknown[] = Array.isArray(page.tasks) ? page.tasks : [];
    for (const each of tasks) found.push(handleOf(readTask(each, experimentalNames), experimental, undefined));
    cursor = page.nextCursor;
    if (typeof cursor !== 'string') break;
  }
  return found;
}

const experimental: Pick<TaskWire, 'form'> = { form: 'experimental' };
