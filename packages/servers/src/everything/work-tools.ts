import { setTimeout as sleep } from 'node:timers/promises';
import { logLevels, type Tool, tool } from '@ccmcp/core';

const milliseconds = { type: 'integer', minimum: 0, maximum: 60_000 } as const;

/** Tools that take time, report progress, log, are cancelled, or lose their connection. */
export function workTools(): Tool[] {
  let calls = 0;
  return [
    tool(
      'work',
      {
        description: 'Works in steps and reports progress after each; stops when it is cancelled',
        input: {
          type: 'object',
          properties: {
            steps: { type: 'integer', minimum: 1, maximum: 1000, default: 5 },
            stepMs: { ...milliseconds, default: 200 },
          },
        },
      },
      async ({ steps = 5, stepMs = 200 }, { progress, signal }) => {
        for (let step = 1; step <= steps; step += 1) {
          await sleep(stepMs, undefined, { signal });
          progress(step, steps, `Step ${step} of ${steps}`);
        }
        return `Did ${steps} steps`;
      },
    ),

    tool(
      'open_ended_progress',
      { description: 'Reports progress without a total' },
      async (_, { progress, signal }) => {
        for (const done of [1, 10, 100]) {
          await sleep(50, undefined, { signal });
          progress(done);
        }
        return 'Done';
      },
    ),

    tool(
      'wait',
      {
        description: 'Answers after a while, without progress',
        input: { type: 'object', properties: { ms: { ...milliseconds, default: 1000 } } },
      },
      async ({ ms = 1000 }, { signal }) => {
        await sleep(ms, undefined, { signal });
        return `Waited ${ms} ms`;
      },
    ),

    tool('never', { description: 'Never answers: to be cancelled, or for timeouts' }, (_, { signal }) => {
      return new Promise<string>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    }),

    tool('log', { description: 'Logs a message at each of the eight levels' }, (_, { log }) => {
      for (const level of logLevels) log(level, `A message at level ${level}`);
      log('info', { event: 'structured', count: logLevels.length }, 'everything.structured');
      return `Logged ${logLevels.length + 1} messages`;
    }),

    tool(
      'disconnect',
      {
        description: 'Closes the stream of the response where the client can resume it, then goes on (HTTP)',
      },
      async (_, { disconnect, progress }) => {
        progress(1, 2, 'Before the connection is closed');
        await disconnect(100);
        progress(2, 2, 'After that');
        return 'Done';
      },
    ),

    tool(
      'count_calls',
      { description: 'Returns how often it was called: a repeated call with the same idempotency key does not count' },
      () => (calls += 1),
    ),
  ];
}
