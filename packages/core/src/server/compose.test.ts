import { describe, expect, it } from 'vitest';
import { McpClient } from '../../../../test/support/mcp-client.ts';
import { memoryWire } from '../../../../test/support/wires.ts';
import { compose } from './compose.ts';
import { prompt, resource, template, tool } from './define.ts';
import { createServer } from './create-server.ts';
import type { Server } from './server.ts';
import { ToolError } from './tool-error.ts';
import { engineOf } from './server-face.ts';

const nameForm = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;

function greeting(): Server {
  return createServer({
    name: 'greeting',
    version: '1',
    instructions: 'Greets.',
    invalidArguments: 'protocol-error',
    tools: [
      tool('greet', { input: nameForm }, ({ name }) => `Hello, ${name}!`),
      tool('ask', {}, async (_, { elicit }) => {
        const answer = await elicit({ message: 'Who?', schema: nameForm });
        return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : 'Hello!';
      }),
    ],
    prompts: [prompt('hi', { arguments: { to: { complete: ['Ada', 'Bob'] } } }, ({ to }) => `Greet ${to}`)],
    resources: [resource('greeting://last', {}, () => 'Ada')],
  });
}

function counting(): Server {
  return createServer({
    name: 'counting',
    version: '1',
    instructions: 'Counts.',
    tools: [
      tool('count', {}, () => {
        throw new ToolError('Lost count');
      }),
    ],
    templates: [template('number://{n}', { complete: { n: ['one', 'two'] } }, ({ n }) => String(n))],
  });
}

async function connect(server: Server, version = '2025-11-25'): Promise<McpClient> {
  const client = new McpClient(memoryWire(server), {
    version,
    capabilities: { elicitation: {} },
    answer: () => ({ action: 'accept', content: { name: 'Eve' } }),
  });
  await client.initialize();
  return client;
}

const whole = { name: 'whole', version: '2' };

describe('composed servers', () => {
  it('offer together what each of them offers', async () => {
    const client = await connect(compose({ greeting: greeting(), counting: counting() }, whole));
    const names = (rows: { name: string }[]): string[] => rows.map(({ name }) => name);
    expect(names((await client.request('tools/list')).tools)).toEqual(['greet', 'ask', 'count']);
    expect(names((await client.request('prompts/list')).prompts)).toEqual(['hi']);
    expect((await client.request('resources/list')).resources).toMatchObject([{ uri: 'greeting://last' }]);
    expect((await client.request('resources/templates/list')).resourceTemplates).toHaveLength(1);
  });

  it('answer in the name of the whole, with the instructions of all', async () => {
    const client = new McpClient(memoryWire(compose({ greeting: greeting(), counting: counting() }, whole)), {
      version: '2025-11-25',
    });
    const { result } = await client.initialize();
    expect(result).toMatchObject({ serverInfo: whole, instructions: 'Greets.\n\nCounts.' });
  });

  it('serve each thing by the part that it belongs to, with its own settings', async () => {
    const client = await connect(compose({ greeting: greeting(), counting: counting() }, whole));
    const call = (name: string, args?: object): Promise<{ content: unknown }> =>
      client.request('tools/call', { name, arguments: args });
    expect(await call('greet', { name: 'Ada' })).toMatchObject({ content: [{ text: 'Hello, Ada!' }] });
    await expect(call('greet', { name: 1 })).rejects.toMatchObject({ code: -32602 });
    expect(await call('count')).toMatchObject({ isError: true, content: [{ text: 'Lost count' }] });
    expect(await client.request('resources/read', { uri: 'number://7' })).toMatchObject({ contents: [{ text: '7' }] });
    const ref = { type: 'ref/resource', uri: 'number://{n}' };
    const completed = await client.request('completion/complete', { ref, argument: { name: 'n', value: 't' } });
    expect(completed.completion.values).toEqual(['two']);
  });

  it('run the middleware of the part', async () => {
    const part = greeting();
    const seen: string[] = [];
    part.use((call, next) => {
      seen.push(`${call.method} ${String(call.params.name)}`);
      return next();
    });
    const client = await connect(compose({ greeting: { server: part, prefix: 'g_' } }, whole));
    await client.request('tools/call', { name: 'g_greet', arguments: { name: 'Ada' } });
    expect(seen).toEqual(['tools/call greet']);
  });

  it('put a prefix before names of tools and prompts', async () => {
    const client = await connect(compose({ greeting: { server: greeting(), prefix: 'g_' } }, whole));
    expect((await client.request('tools/list')).tools[0].name).toBe('g_greet');
    const got = await client.request('prompts/get', { name: 'g_hi', arguments: { to: 'Bob' } });
    expect(got.messages[0].content.text).toBe('Greet Bob');
    const ref = { type: 'ref/prompt', name: 'g_hi' };
    const completed = await client.request('completion/complete', { ref, argument: { name: 'to', value: 'b' } });
    expect(completed.completion.values).toEqual(['Bob']);
    await expect(client.request('tools/call', { name: 'greet' })).rejects.toMatchObject({ code: -32602 });
  });

  it.each(['2025-11-25', '2026-07-28'])('ask their client through the whole, in %s', async (version) => {
    const client = await connect(compose({ greeting: { server: greeting(), prefix: 'g_' } }, whole), version);
    const { content } = await client.request('tools/call', { name: 'g_ask' });
    expect(content).toEqual([{ type: 'text', text: 'Hello, Eve!' }]);
  });

  it('refuse two parts with one name, and say which', () => {
    expect(() => compose({ a: greeting(), b: greeting() }, whole)).toThrow(
      '"greet" of b is offered by another part already: give one a prefix, or leave one out',
    );
    expect(() => compose({ a: greeting(), b: { server: greeting(), prefix: 'b_' } }, whole)).toThrow('greeting://last');
  });

  it('show what a part adds, replaces and removes later, and tell of it', async () => {
    const part = counting();
    const client = await connect(compose({ counting: part }, whole));
    part.tools.add(tool('new', {}, () => 'first'));
    await client.readNotification('notifications/tools/list_changed');
    expect(await client.request('tools/call', { name: 'new' })).toMatchObject({ content: [{ text: 'first' }] });
    part.tools.remove('new');
    part.tools.add(tool('new', { description: 'second' }, () => 'second'));
    await client.readNotification('notifications/tools/list_changed');
    expect((await client.request('tools/list')).tools[1]).toMatchObject({ name: 'new', description: 'second' });
    part.tools.remove('new');
    await client.readNotification('notifications/tools/list_changed');
    expect((await client.request('tools/list')).tools).toHaveLength(1);
  });

  it('tell when a template of a part lists other resources', async () => {
    const part = counting();
    const client = await connect(compose({ counting: part }, whole));
    engineOf(part).feed.publish({ kind: 'resources' });
    const { method } = await client.readNotification('notifications/resources/list_changed');
    expect(method).toBe('notifications/resources/list_changed');
  });

  it('tell who subscribed when a resource of a part has changed', async () => {
    const part = greeting();
    const client = await connect(compose({ greeting: part }, whole));
    await client.request('resources/subscribe', { uri: 'greeting://last' });
    part.resources.updated('greeting://last');
    const { params } = await client.readNotification('notifications/resources/updated');
    expect(params).toEqual({ uri: 'greeting://last' });
  });
});
