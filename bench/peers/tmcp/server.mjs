// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { McpServer } from 'tmcp';
import { tool } from 'tmcp/utils';
import { z } from 'zod';
import { dummies } from '../dummies.mjs';

export function makeServer(count = 2) {
  const server = new McpServer(
    { name: 'bench', version: '1.0.0', description: 'Two tools' },
    { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: { listChanged: true } } },
  );
  server.tool(
    { name: 'echo', description: 'Gives the message back', schema: z.object({ message: z.string() }) },
    ({ message }) => tool.text(message),
  );
  server.tool(
    { name: 'add', description: 'Adds two numbers', schema: z.object({ a: z.number(), b: z.number() }) },
    ({ a, b }) => tool.text(String(a + b)),
  );
  for (const dummy of dummies(count - 2)) server.tool(dummy, () => tool.text('done'));
  return server;
}
