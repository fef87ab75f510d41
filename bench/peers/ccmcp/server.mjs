// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { createServer, tool } from '@ccmcp/core';
import { dummies } from '../bare/dummies.mjs';

export function makeServer(count = 2, more = {}) {
  return createServer({
    name: 'bench',
    version: '1.0.0',
    ...more,
    tools: [
      ...(more.tools ?? []),
      tool(
        'echo',
        {
          description: 'Gives the message back',
          input: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
        },
        ({ message }) => message,
      ),
      tool(
        'add',
        {
          description: 'Adds two numbers',
          input: {
            type: 'object',
            properties: { a: { type: 'number' }, b: { type: 'number' } },
            required: ['a', 'b'],
          },
        },
        ({ a, b }) => String(a + b),
      ),
      ...dummies(count - 2).map(({ name, description, inputSchema }) =>
        tool(name, { description, input: inputSchema }, () => 'done'),
      ),
    ],
  });
}
