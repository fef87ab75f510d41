import { checkLimits, limits } from '../../limits.ts';
import { assertKnownOptions } from '../../schema/known-options.ts';
import type { Tool } from '../../server/define/define.ts';
import type { AroundTool, ServerExtension } from '../../server/extension.ts';
import { parseTaskTool } from './task-tool.ts';
import type { ServeLate } from './serve-tasks.ts';
import { taskFilter, taskMethods, taskNotification, tasksId } from './protocol.ts';
import { legacyTasks } from './legacy/legacy-tasks.ts';
import { loadTaskServing, runnersKey, TaskRunners } from './task-runners.ts';

/** Options of `tasks`. */
export interface TasksOptions {
  /** How long a task is kept after its creation, in milliseconds. Tools may override it. Default: 1 hour. */
  ttlMs?: number;
  /** The polling interval for clients, in milliseconds. Tools may override it. Default: 1000. */
  pollMs?: number;
  /** The maximum number of tasks per caller. Default: 1000. */
  maxPerCaller?: number;
  /** The maximum number of tasks, over all callers and instances. Default: 10 000. */
  maxInAll?: number;
  /** The maximum size of all tasks together, in characters, over all callers and instances. Default: 32 Mi. */
  maxKept?: number;
  /** How many tasks one instance runs at a time. Default: 1000. */
  maxRunning?: number;
  /** The maximum size of a task's result as JSON, in characters. Default: 256 Ki. */
  maxResult?: number;
  /**
   * After how long without a heartbeat the tasks of an instance go to another one, in milliseconds. Default: 10 000.
   */
  leaseMs?: number;
}

const optionNames = [
  'ttlMs',
  'pollMs',
  'maxPerCaller',
  'maxInAll',
  'maxKept',
  'maxRunning',
  'maxResult',
  'leaseMs',
] as const satisfies readonly (keyof TasksOptions)[];

/** Lets tools run as tasks: pass it in `extensions` of `createServer`, and set `task` on the tools. */
export function tasks(options: TasksOptions = {}): ServerExtension {
  assertKnownOptions('tasks', options, optionNames);
  checkLimits('tasks', options);
  const { ttlMs = limits.tasks.ttlMs.value, pollMs = limits.tasks.pollMs.value } = options;
  const runners = new TaskRunners({
    perCaller: options.maxPerCaller ?? limits.tasks.perCaller.value,
    inAll: options.maxInAll ?? limits.tasks.inAll.value,
    kept: options.maxKept ?? limits.tasks.kept.value,
    maxRunning: options.maxRunning ?? limits.tasks.running.value,
    maxResult: options.maxResult ?? limits.tasks.result.value,
    leaseMs: options.leaseMs ?? limits.tasks.leaseMs.value,
  });
  const getRunner = runners.get.bind(runners);
  const serve: ServeLate = (method) => async (operation) => {
    const { methods } = await loadTaskServing();
    return await methods[method](getRunner)(operation);
  };
  const extension: ServerExtension & { [runnersKey]: TaskRunners } = {
    [runnersKey]: runners,
    id: tasksId,
    era: 'stateless',
    methods: {
      [taskMethods.get]: { mirrors: 'taskId', repeatable: true, serve: serve('getTask') },
      [taskMethods.update]: { mirrors: 'taskId', repeatable: true, serve: serve('updateTask') },
      [taskMethods.cancel]: { mirrors: 'taskId', repeatable: true, urgent: true, serve: serve('cancelTask') },
    },
    notifications: { [taskNotification]: {} },
    listens: {
      [taskFilter]: async (wish, operation) => (await loadTaskServing()).subscribeToTasks(getRunner)(wish, operation),
    },
    aroundTool(tool): AroundTool | undefined {
      const toolOptions = parseTaskTool(tool, { ttlMs, pollMs });
      if (toolOptions === undefined) return undefined;
      let around: AroundTool | undefined;
      return (operation, run, runApart) => {
        if (around !== undefined) return around(operation, run, runApart);
        return loadTaskServing().then(({ callAsTask }) => {
          around ??= callAsTask(toolOptions, getRunner);
          return around(operation, run, runApart);
        });
      };
    },
    open: (service) => runners.open(service),
    join: joinTasks,
    legacyForm: legacyTasks(serve),
  };
  return extension;
}

/** The tasks of the parts of a composed server are those of the whole: the limits of the first part hold for all. */
function joinTasks(parts: readonly ServerExtension[]): ServerExtension {
  const [first] = parts as [ServerExtension];
  const forms = parts.flatMap(({ legacyForm }) => legacyForm ?? []);
  const capabilities = (tools: Iterable<Tool>): object | undefined => {
    for (const form of forms) {
      const declared = form.capabilities(tools);
      if (declared !== undefined) return declared;
    }
    return undefined;
  };
  return { ...first, ...(first.legacyForm && { legacyForm: { ...first.legacyForm, capabilities } }) };
}
