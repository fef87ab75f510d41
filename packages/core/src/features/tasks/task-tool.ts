import { nextTurn } from '../../runtime/timers.ts';
import { type AroundTool, missingExtension } from '../../server/extension.ts';
import type { Operation } from '../../server/call/operation.ts';
import { tasksId } from './protocol.ts';
import type { TaskForm } from './task-record.ts';
import { startLegacyTask } from './legacy/announce-task.ts';
import { type TaskRequest, parseTaskRequest } from './legacy/wire-format.ts';
import { TaskRun } from './task-run.ts';
import { encodeHandle } from './wire-format.ts';
import type { GetTaskRunner } from './task-runners.ts';
import type { Tool } from '../../server/define/define.ts';
import { maxTtlMs } from './task-id.ts';

/** The task options of a tool. */
interface TaskToolOptions {
  readonly required: boolean;
  readonly inHandler: boolean;
  readonly runsAgain: boolean;
  readonly ttlMs: number;
  readonly pollMs: number;
}

/** Defaults for tools without options. */
interface TaskToolDefaults {
  readonly ttlMs: number;
  readonly pollMs: number;
}

const taskOnlyOptions = ['beginsTask', 'runsAgain', 'ttlMs', 'pollMs'] as const;

/** Parses the task options of a tool; undefined if it has none. Throws a `TypeError` that says how to fix them. */
export function parseTaskTool(tool: Tool, defaults: TaskToolDefaults): TaskToolOptions | undefined {
  const { name, task, beginsTask = 'at-once', annotations } = tool;
  const fail = (problem: string): never => {
    throw new TypeError(`Tool "${name}": ${problem}`);
  };
  if (task === undefined) {
    const idle = taskOnlyOptions.find((option) => tool[option] !== undefined);
    return idle === undefined ? undefined : fail(`"${idle}" only applies to tasks: add task: "optional"`);
  }
  if (task !== 'optional' && task !== 'required') fail(`"task" must be "optional" or "required"`);
  if (beginsTask !== 'at-once' && beginsTask !== 'in-handler') fail('"beginsTask" must be "at-once" or "in-handler"');
  const { ttlMs = defaults.ttlMs, pollMs = defaults.pollMs } = tool;
  const { runsAgain = annotations?.readOnlyHint === true || annotations?.idempotentHint === true } = tool;
  if (!isTime(ttlMs)) fail(`"ttlMs" must be a whole number of milliseconds from 1 to ${maxTtlMs}`);
  if (!isTime(pollMs)) fail(`"pollMs" must be a whole number of milliseconds from 1 to ${maxTtlMs}`);
  return { required: task === 'required', inHandler: beginsTask === 'in-handler', runsAgain, ttlMs, pollMs };
}

function isTime(ms: unknown): boolean {
  return Number.isInteger(ms) && (ms as number) > 0 && (ms as number) <= maxTtlMs;
}

type ToolTaskPlan = TaskToolOptions & { readonly form: TaskForm };

/** Wraps a tool: runs its handler as a task for callers that support tasks. */
export function wrapTaskTool(options: TaskToolOptions, getRunner: GetTaskRunner): AroundTool {
  return (operation, run, runApart) => {
    // A task that another instance started.
    if (operation.job instanceof TaskRun) return operation.job.run(runApart);
    const request = parseTaskRequest(operation);
    if (request === undefined && !operation.supports(tasksId)) {
      if (options.required)
        throw missingExtension(`Tool "${toolNameOf(operation)}" runs as a task only, which`, tasksId);
      return run();
    }
    const begin = (): Promise<TaskRun> => startTask(operation, applyTaskRequest(options, request), getRunner);
    // A client that requests a task gets its handle before the handler runs.
    return options.inHandler && request === undefined
      ? startInHandler(operation, begin, run)
      : startBeforeHandler(begin, runApart);
  };
}

/** The answer is sent first, since a handler may block. */
function startBeforeHandler(begin: () => Promise<TaskRun>, run: () => unknown): Promise<unknown> {
  const begun = begin().then((task) => nextTurn().then(() => task));
  return begun.then((task) => task.run(run));
}

/** Questions before the start of the task go by rounds, later ones through the task. */
async function startInHandler(
  operation: Operation,
  begin: () => Promise<TaskRun>,
  run: () => unknown,
): Promise<unknown> {
  let begun: Promise<TaskRun> | undefined;
  operation.extendContext({
    beginTask: async () => {
      begun ??= begin();
      await (await begun).run(() => undefined);
    },
  });
  try {
    return await run();
  } catch (error) {
    // If a task is starting, the task fails instead of the call.
    await begun?.catch(() => undefined);
    throw error;
  }
}

/** Applies the client's request. The tool's lifetime is the maximum, since storage is shared. */
function applyTaskRequest(options: TaskToolOptions, request: TaskRequest | undefined): ToolTaskPlan {
  if (request === undefined) return { ...options, form: 'extension' };
  return { ...options, form: 'core', ttlMs: Math.min(request.ttlMs ?? options.ttlMs, options.ttlMs) };
}

async function startTask(operation: Operation, options: ToolTaskPlan, getRunner: GetTaskRunner): Promise<TaskRun> {
  const runner = await getRunner(operation);
  const { ttlMs, pollMs, runsAgain, form } = options;
  const { auth, requirement: scopes, countedAs } = operation;
  const made = { tool: toolNameOf(operation), ttlMs, pollMs, runsAgain, countedAs, form };
  const plan = { ...made, ...(auth && { principal: auth.principal }), ...(scopes && { scopes }) };
  return await (form === 'core'
    ? startLegacyTask(operation, runner, plan)
    : runner.start(operation, plan, encodeHandle));
}

/** The tool, by the name that the client used. */
function toolNameOf({ serialize }: Operation): string {
  return String(serialize().params.name);
}
