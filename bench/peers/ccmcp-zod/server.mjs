// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { createServer, tool } from '@ccmcp/core';
import { z } from 'zod';
import { dummies } from '../dummies.mjs';

export function makeServer(count = 2) {
  return createServer({
    name: 'bench',
    version: '1.0.0',
    tools: [
      tool(
        'echo',
        { description: 'Gives the message back', input: z.object({ message: z.string() }) },
        ({ message }) => message,
      ),
      tool('add', { description: 'Adds two numbers', input: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) =>
        String(a + b),
      ),
      ...dummies(count - 2).map(({ name, description, schema }) =>
        tool(name, { description, input: schema }, () => 'done'),
      ),
    ],
  });
}
