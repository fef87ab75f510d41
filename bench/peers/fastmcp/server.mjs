// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { FastMCP } from 'fastmcp';
import { z } from 'zod';
import { dummies } from '../dummies.mjs';

export function makeServer(count = 2) {
  const server = new FastMCP({ name: 'bench', version: '1.0.0' });
  server.addTool({
    name: 'echo',
    description: 'Gives the message back',
    parameters: z.object({ message: z.string() }),
    execute: async ({ message }) => message,
  });
  server.addTool({
    name: 'add',
    description: 'Adds two numbers',
    parameters: z.object({ a: z.number(), b: z.number() }),
    execute: async ({ a, b }) => String(a + b),
  });
  for (const { name, description, schema } of dummies(count - 2)) {
    server.addTool({ name, description, parameters: schema, execute: async () => 'done' });
  }
  return server;
}
