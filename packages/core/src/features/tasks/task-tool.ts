import { maxTtlMs } from './task-id.ts';
import type { Tool } from '../../server/define/define.ts';

/** The task options of a tool. */
export interface TaskToolOptions {
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
