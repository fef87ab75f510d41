import { expect } from 'vitest';
import { type Middleware, ProtocolError } from '@ccmcp/core';
import { expectError } from '../support/mcp-client.ts';
import { everywhere, feature } from './cells.ts';

everywhere(
  'middleware runs around everything that is served, the last added outermost',
  async ({ open, server, stateless }) => {
    const seen: string[] = [];
    const watching =
      (name: string): Middleware =>
      async (call, next) => {
        seen.push(`${name} ${call.method}`);
        const outcome = await next();
        seen.push(`${name} done`);
        return outcome;
      };
    server.use(watching('inner')).use(watching('outer'));
    const client = open();
    await client.initialize();
    await client.request('tools/list');
    const around = (method: string): string[] => [`outer ${method}`, `inner ${method}`, 'inner done', 'outer done'];
    const expected = stateless
      ? ['server/discover', 'tools/list']
      : ['initialize', 'notifications/initialized', 'tools/list'];
    expect(seen.toSorted()).toEqual(expected.flatMap(around).toSorted());
    expect(seen.slice(0, 4)).toEqual(around(expected[0] as string));
  },
);

everywhere('middleware may answer in place of the method, or reject', async ({ connect, server }) => {
  const client = await connect();
  server.use((call, next) => {
    if (call.params.name === 'add') return { content: [{ type: 'text', text: 'from the cache' }], isError: false };
    if (call.params.name === 'crash') throw new ProtocolError(4003, 'Not for you');
    return next();
  });
  expect((await client.request('tools/call', { name: 'add' })).content[0].text).toBe('from the cache');
  expectError(await client.sendRequest('tools/call', { name: 'crash' }), 4003);
  expect((await client.request('tools/call', { name: 'decorated' })).content[0].text).toBe('done');
});

everywhere('middleware that fails is masked like any other exception', async ({ connect, server, log }) => {
  const client = await connect();
  server.use(() => {
    throw new Error('password is hunter2');
  });
  const error = expectError(await client.sendRequest('tools/list'), -32603);
  expect(error).toEqual({ code: -32603, message: 'Internal error' });
  expect(((await log.until('Unexpected error in tools/list')).error as Error).message).toContain('hunter2');
});

everywhere('middleware sees what a tool threw as the result it became', async ({ connect, server }) => {
  const client = await connect();
  const seen: unknown[] = [];
  server.use(async (_, next) => {
    const outcome = await next();
    seen.push((outcome as { isError?: boolean }).isError);
    return outcome;
  });
  await client.request('tools/call', { name: 'tool-error' });
  await client.request('tools/call', { name: 'decorated' });
  expect(seen).toEqual([true, false]);
});

feature('a handler that asks, inside middleware', {
  '2024-11-05': [
    'goes on when the answer is there',
    async ({ connect, server }) => {
      const client = await connect({ capabilities: { roots: {} }, answer: () => ({ roots: [{ uri: 'file:///a' }] }) });
      let runs = 0;
      server.use(async (_, next) => {
        runs += 1;
        return next();
      });
      expect((await client.request('tools/call', { name: 'where' })).content[0].text).toBe('file:///a');
      expect(runs).toBe(1);
    },
  ],
  '2026-07-28': [
    'is run again, middleware and all',
    async ({ connect, server }) => {
      const client = await connect({ capabilities: { roots: {} }, answer: () => ({ roots: [{ uri: 'file:///a' }] }) });
      let runs = 0;
      server.use(async (_, next) => {
        runs += 1;
        return next();
      });
      expect((await client.request('tools/call', { name: 'where' })).content[0].text).toBe('file:///a');
      expect(runs).toBe(2);
    },
  ],
});
