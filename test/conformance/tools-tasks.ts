import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, ErrorCode, ProtocolError, type Tool, ToolError, tool } from '@ccmcp/core';

const confirmation = { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] } as const;
const naming = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;

const seconds = { type: 'number', minimum: 0 } as const;
const label = { type: 'string' } as const;

async function work(duration: number, { signal, progress }: Context): Promise<void> {
  for (let second = 0; second < duration; second++) {
    progress(second, duration);
    await sleep(Math.min(1, duration - second) * 1000, undefined, { signal });
  }
}

/** Tools that run as tasks: optional and required; they fail in both ways, and ask before and in the task. */
export const taskTools: Tool[] = [
  tool(
    'greet',
    { description: 'Greets, at once', input: { type: 'object', properties: { name: label } } },
    ({ name = 'world' }) => `Hello, ${name}!`,
  ),

  tool(
    'slow_compute',
    { description: 'Takes its time', task: 'optional', input: { type: 'object', properties: { seconds, label } } },
    async ({ seconds: duration = 1, label: name = 'work' }, context) => {
      await work(duration, context);
      return `${name} took ${duration} s`;
    },
  ),

  tool('failing_job', { description: 'Fails as a tool', task: 'required' }, async (_, context) => {
    await work(1, context);
    throw new ToolError('The job failed, as it always does');
  }),

  tool(
    'protocol_error_job',
    { description: 'Fails with an error of the protocol', task: 'optional' },
    async (_, context) => {
      await work(0.2, context);
      throw new ProtocolError(ErrorCode.InternalError, 'The job broke');
    },
  ),

  tool(
    'confirm_delete',
    { description: 'Asks in the task', task: 'optional', input: { type: 'object', properties: { filename: label } } },
    async ({ filename = 'a file' }, { elicit }) => {
      const answer = await elicit({ message: `Delete ${filename}?`, schema: confirmation });
      return answer.action === 'accept' && answer.content.confirm ? `Deleted ${filename}` : `Kept ${filename}`;
    },
  ),

  tool('multi_input', { description: 'Asks two things at once', task: 'optional' }, async (_, { elicit }) => {
    const [name, sure] = await Promise.all([
      elicit({ key: 'name', message: 'What is your name?', schema: naming }),
      elicit({ key: 'confirm', message: 'Are you sure?', schema: confirmation }),
    ]);
    return JSON.stringify([name, sure]);
  }),

  tool(
    'test_tool_with_task',
    { description: 'Asks before the task', task: 'required', beginsTask: 'in-handler' },
    async (_, { elicit, beginTask }) => {
      const answer = await elicit({ key: 'user_name', message: 'What is your name?', schema: naming });
      await beginTask();
      return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : 'Hello, whoever you are!';
    },
  ),
];
