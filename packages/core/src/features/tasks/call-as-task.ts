import { nextTurn } from '../../runtime/timers.ts';
import { type AroundTool, missingExtension } from '../../server/extension.ts';
import type { Operation } from '../../server/call/operation.ts';
import { tasksId } from './protocol.ts';
import type { TaskForm } from './task-record.ts';
import { startLegacyTask } from './legacy/announce-task.ts';
import { type TaskRequest, parseTaskRequest } from './legacy/wire-format.ts';
import { TaskRun } from './task-run.ts';
import { encodeHandle } from './wire-format.ts';
import type { GetTaskRunner } from './task-runner.ts';
import type { TaskToolOptions } from './task-tool.ts';

type ToolTaskPlan = TaskToolOptions & { readonly form: TaskForm };

/** Runs the handler of a tool as a task for callers that support tasks. */
export function callAsTask(options: TaskToolOptions, getRunner: GetTaskRunner): AroundTool {
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
