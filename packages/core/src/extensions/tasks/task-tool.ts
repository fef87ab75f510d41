import { nextTurn } from '../../runtime/timers.ts';
import type { AroundTool } from '../../server/extension.ts';
import { missingExtension } from '../../server/missing-extension.ts';
import type { Operation } from '../../server/operation.ts';
import { tasksId } from './protocol.ts';
import type { TaskForm } from './task-record.ts';
import { beginRequested } from './legacy/announce-task.ts';
import { type WantedTask, wantedTask } from './legacy/wire-format.ts';
import { TaskRun } from './task-run.ts';
import { handleOf } from './wire-format.ts';
import type { WorkshopOf } from './task-runners.ts';
import { limits } from '../../limits.ts';
import type { Tool } from '../../server/define.ts';

/** How calls of a tool become tasks. */
interface TaskTool {
  readonly required: boolean;
  readonly inHandler: boolean;
  readonly runsAgain: boolean;
  readonly ttlMs: number;
  readonly pollMs: number;
}

/** What holds for tools that say nothing else. */
interface TaskTimes {
  readonly ttlMs: number;
  readonly pollMs: number;
}

const dependent = ['beginsTask', 'runsAgain', 'ttlMs', 'pollMs'] as const;

/** How calls of a tool become tasks; undefined where they don't. Throws a `TypeError` that says what to do. */
export function taskToolOf(tool: Tool, times: TaskTimes): TaskTool | undefined {
  const { name, task, beginsTask = 'at-once', annotations } = tool;
  const refuse = (problem: string): never => {
    throw new TypeError(`Tool "${name}": ${problem}`);
  };
  if (task === undefined) {
    const idle = dependent.find((option) => tool[option] !== undefined);
    return idle === undefined ? undefined : refuse(`"${idle}" is about tasks: write task: "optional" beside it`);
  }
  if (task !== 'optional' && task !== 'required') refuse(`"task" must be "optional" or "required"`);
  if (beginsTask !== 'at-once' && beginsTask !== 'in-handler') refuse('"beginsTask" must be "at-once" or "in-handler"');
  const { ttlMs = times.ttlMs, pollMs = times.pollMs } = tool;
  const { runsAgain = annotations?.readOnlyHint === true || annotations?.idempotentHint === true } = tool;
  const most = limits.tasks.maxTtlMs.value;
  if (!isTime(ttlMs, most)) refuse(`"ttlMs" must be a whole number of milliseconds from 1 to ${most}`);
  if (!isTime(pollMs, most)) refuse(`"pollMs" must be a whole number of milliseconds from 1 to ${most}`);
  return { required: task === 'required', inHandler: beginsTask === 'in-handler', runsAgain, ttlMs, pollMs };
}

function isTime(ms: unknown, most: number): boolean {
  return Number.isInteger(ms) && (ms as number) > 0 && (ms as number) <= most;
}

type Plan = TaskTool & { readonly form: TaskForm };

/** Runs the handler of a tool as a task, for callers that have tasks. */
export function aroundTaskTool(terms: TaskTool, workshopOf: WorkshopOf): AroundTool {
  return (operation, run, runApart) => {
    // A task that another instance began.
    if (operation.aside instanceof TaskRun) return operation.aside.during(runApart);
    const wanted = wantedTask(operation);
    if (wanted === undefined && !operation.supports(tasksId)) {
      if (terms.required) throw missingExtension(`Tool "${toolOf(operation)}" runs as a task only, which`, tasksId);
      return run();
    }
    const begin = (): Promise<TaskRun> => beginTask(operation, wantedBy(terms, wanted), workshopOf);
    // Whoever asks for a task gets one at once.
    return terms.inHandler && wanted === undefined ? beginInside(operation, begin, run) : beginBefore(begin, runApart);
  };
}

/** The answer goes out first: a handler may be busy for a while. */
function beginBefore(begin: () => Promise<TaskRun>, run: () => unknown): Promise<unknown> {
  const begun = begin().then((task) => nextTurn().then(() => task));
  return begun.then((task) => task.during(run));
}

/** What the handler asks before it begins the task goes by rounds, what it asks afterwards through the task. */
async function beginInside(operation: Operation, begin: () => Promise<TaskRun>, run: () => unknown): Promise<unknown> {
  let begun: Promise<TaskRun> | undefined;
  operation.onBeginTask(async () => {
    begun ??= begin();
    await (await begun).during(() => undefined);
  });
  try {
    return await run();
  } catch (error) {
    // Where a task is about to begin, it is the task that fails.
    await begun?.catch(() => undefined);
    throw error;
  }
}

/** How a task is to be that a client asked for, where it did. No longer than the tool lets it be kept: others need the room. */
function wantedBy(terms: TaskTool, wanted: WantedTask | undefined): Plan {
  if (wanted === undefined) return { ...terms, form: 'extension' };
  return { ...terms, form: 'core', ttlMs: Math.min(wanted.ttlMs ?? terms.ttlMs, terms.ttlMs) };
}

async function beginTask(operation: Operation, terms: Plan, workshopOf: WorkshopOf): Promise<TaskRun> {
  const workshop = await workshopOf(operation);
  const { ttlMs, pollMs, runsAgain, form } = terms;
  const { auth, scopes, countedAs } = operation;
  const made = { tool: toolOf(operation), ttlMs, pollMs, runsAgain, countedAs, form };
  const plan = { ...made, ...(auth && { principal: auth.principal }), ...(scopes && { scopes }) };
  return await (form === 'core'
    ? beginRequested(operation, workshop, plan)
    : workshop.begin(operation, plan, handleOf));
}

/** The tool by the name that the client used. */
function toolOf({ keep }: Operation): string {
  return String(keep().params.name);
}
