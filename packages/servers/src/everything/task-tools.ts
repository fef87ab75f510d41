import { setTimeout as sleep } from 'node:timers/promises';
import { ErrorCode, ProtocolError, type Tool, ToolError, tool } from '@ccmcp/core';

const color = { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] } as const;
const input = {
  type: 'object',
  properties: { ms: { type: 'integer', minimum: 0, maximum: 600_000, default: 2000 } },
} as const;

/** Tools that run as tasks: they complete, fail in both ways, and ask. */
export const taskTools: Tool[] = [
  tool(
    'task',
    {
      description: 'Runs as a task where the client has tasks; reports progress',
      task: 'optional',
      pollMs: 200,
      input,
    },
    async ({ ms = 2000 }, { progress, signal }) => {
      for (let step = 1; step <= 4; step += 1) {
        await sleep(ms / 4, undefined, { signal });
        progress(step, 4, `Quarter ${step}`);
      }
      return `The task took ${ms} ms`;
    },
  ),

  tool(
    'task_required',
    { description: 'Runs as a task only', task: 'required', pollMs: 200, input },
    async ({ ms = 2000 }, { signal }) => {
      await sleep(ms, undefined, { signal });
      return 'The task is done';
    },
  ),

  tool(
    'task_asks',
    { description: 'A task that asks a question and waits', task: 'optional', pollMs: 200 },
    async (_, { elicit }) => {
      const answer = await elicit({ message: 'Which colour?', schema: color });
      return answer.action === 'accept' ? `The colour: ${answer.content.color}` : `No colour: ${answer.action}`;
    },
  ),

  tool(
    'task_asks_first',
    { description: 'Asks before it becomes a task', task: 'optional', beginsTask: 'in-handler', pollMs: 200 },
    async (_, { elicit, beginTask }) => {
      const answer = await elicit({ message: 'Which colour?', schema: color });
      await beginTask();
      return answer.action === 'accept' ? `The colour: ${answer.content.color}` : `No colour: ${answer.action}`;
    },
  ),

  tool(
    'task_fails',
    { description: 'A task that completes with an error for the model', task: 'optional', pollMs: 200 },
    () => {
      throw new ToolError('The task failed, as intended');
    },
  ),

  tool(
    'task_breaks',
    { description: 'A task that fails with an error of JSON-RPC', task: 'optional', pollMs: 200 },
    () => {
      throw new ProtocolError(ErrorCode.InternalError, 'The task broke, as intended');
    },
  ),
];
