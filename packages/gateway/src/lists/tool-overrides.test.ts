import { createServer, type Server, tool } from '@ccmcp/core';
import type { CallToolResult } from '@ccmcp/core';
import { tasks, tasksClient } from '@ccmcp/core/tasks';
import { afterEach, describe, expect, it } from 'vitest';
import { clientOf, closeAll, part, pinned } from '../fixtures/clients.ts';

afterEach(closeAll);

const issue = {
  type: 'object',
  properties: { repo: { type: 'string' }, title: { type: 'string' }, draft: { type: 'boolean' } },
  required: ['repo', 'title'],
  additionalProperties: false,
} as const;

function issues(): Server {
  return createServer({
    name: 'issues',
    version: '1',
    extensions: [tasks({ pollMs: 10 })],
    tools: [
      tool('open_issue', { description: 'Opens', input: issue }, (args) => JSON.stringify(args)),
      tool('open_draft', { description: 'Drafts', input: issue, task: 'optional' }, (args) => JSON.stringify(args)),
      tool('ping', { description: 'Pings' }, () => 'pong'),
    ],
  });
}

const textOf = ({ content }: CallToolResult): string => (content[0] as { text: string }).text;

describe.each(['2025-11-25', '2026-07-28'])('a tool of an upstream that is spoken to in %s', (behind) => {
  const client = pinned(behind);

  it('has another description, by its name or a pattern', async () => {
    const describing = { 'open_*': 'Files something', open_draft: 'Files a draft', toString: 'none' };
    const through = await clientOf(part(issues(), { client, describe: describing }), '2026-07-28');
    const tools = await through.listTools().all();
    expect(Object.fromEntries(tools.map(({ name, description }) => [name, description]))).toEqual({
      open_issue: 'Files something',
      open_draft: 'Files a draft',
      ping: 'Pings',
    });
  });

  it('has fixed arguments, which are sent upstream and not shown', async () => {
    const args = { 'open_*': { repo: 'docs', draft: false }, open_draft: { draft: true } };
    const up = part(issues(), { client, args, prefix: 'x_' });
    const through = await clientOf(up, '2026-07-28', { extensions: [tasksClient()] });
    const [shown] = await through.listTools().all();
    expect(shown?.inputSchema).toEqual({
      type: 'object',
      properties: { title: { type: 'string' } },
      required: ['title'],
      additionalProperties: false,
    });
    const sent = async (name: string) => JSON.parse(textOf(await through.callTool(name, { title: 'T' }))) as unknown;
    expect(await sent('x_open_issue')).toEqual({ repo: 'docs', title: 'T', draft: false });
    expect(await sent('x_open_draft')).toEqual({ repo: 'docs', title: 'T', draft: true });
    expect(textOf(await through.callTool('x_ping'))).toBe('pong');
  });

  it('rejects a call that overrides a fixed argument, also as a task', async () => {
    const up = part(issues(), { client, args: { '*': { repo: 'docs' } } });
    const through = await clientOf(up, '2026-07-28', { extensions: [tasksClient()] });
    await through.listTools().all();
    for (const name of ['open_issue', 'open_draft']) {
      const result = await through.callTool(name, { title: 'T', repo: 'secrets' });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toBe('The argument "repo" has a fixed value here: call the tool again without it');
    }
    expect(up.status.latencyMs).toBeUndefined();
  });
});

it.each([
  [{ describe: { find: 1 } }, 'remote: "describe" of the tool "find" must be a text'],
  [{ describe: 'all' }, 'remote: "describe" must be an object, by the names of tools upstream'],
  [{ args: { find: ['x'] } }, 'remote: "args" of the tool "find" must be an object with the values of arguments'],
])('rejects %j', (options, message) => {
  expect(() => part(issues(), options as never)).toThrow(message);
});

it('the status has the number of shown tools and the duration of calls', async () => {
  const up = part(issues(), { deny: ['ping'] });
  const through = await clientOf(up, '2026-07-28');
  expect(up.status).toMatchObject({ tools: 0, latencyMs: undefined });
  await through.callTool('open_issue', { repo: 'a', title: 'b' });
  expect(up.status).toMatchObject({ tools: 2, latencyMs: expect.any(Number) });
});
