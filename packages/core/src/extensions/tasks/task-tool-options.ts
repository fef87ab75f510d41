import { limits } from '../../limits.ts';
import type { Tool } from '../../server/define.ts';

/** How calls of a tool become tasks. */
export interface TaskTool {
  readonly required: boolean;
  readonly inHandler: boolean;
  readonly runsAgain: boolean;
  readonly ttlMs: number;
  readonly pollMs: number;
}

/** What holds for tools that say nothing else. */
export interface TaskTimes {
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
