import { type Tool, ToolError, tool } from '@ccmcp/core';

const hello = tool(
  'hello',
  {
    description: 'Say hello to someone',
    input: {
      type: 'object',
      properties: { name: { type: 'string', description: 'Name to greet' } },
      required: ['name'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  ({ name }) => `Hello, ${name}!`,
);

const add = tool(
  'add',
  {
    description: 'Add two numbers',
    input: {
      type: 'object',
      properties: {
        a: { type: 'number', description: 'The first number' },
        b: { type: 'number', description: 'The second number' },
      },
      required: ['a', 'b'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  ({ a, b }) => {
    const sum = a + b;
    if (!Number.isFinite(sum)) throw new ToolError('The sum is too large to be a number: use smaller ones');
    return String(sum);
  },
);

const echo = tool(
  'echo',
  {
    description: 'Return the message unchanged',
    input: {
      type: 'object',
      properties: { message: { type: 'string', description: 'What to return' } },
      required: ['message'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  ({ message }) => message,
);

/** Tools that need nothing but their arguments. */
export const simpleTools: Tool[] = [hello, add, echo];
