import { describe, expect, it } from 'vitest';
import { scripted } from '../fixtures/scripted.ts';
import type { Client } from '../client.ts';

async function called(outputSchema: object, result: object, options: object = {}): Promise<Client> {
  const { client } = await scripted(({ method }) => {
    if (method === 'tools/list') return { tools: [{ name: 'x', inputSchema: { type: 'object' }, outputSchema }] };
    return method === 'tools/call' ? { content: [], ...result } : undefined;
  }, options);
  await client.listTools().all();
  return client;
}

describe('the result of a tool with an output schema', () => {
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

  it('is returned if it is valid', async () => {
    const client = await called(schema, { structuredContent: { n: 1 } });
    expect(await client.callTool('x')).toMatchObject({ structuredContent: { n: 1 }, isError: false });
  });

  it('throws with the result if it is invalid', async () => {
    const client = await called(schema, { structuredContent: { n: 'one' } });
    await expect(client.callTool('x')).rejects.toMatchObject({
      name: 'ResultError',
      message: expect.stringContaining('does not fit its output schema: n: '),
      result: { structuredContent: { n: 'one' } },
    });
  });

  it('throws if there is no structured content', async () => {
    const client = await called(schema, {});
    await expect(client.callTool('x')).rejects.toThrow('gave no structured content');
  });

  it.each([null, 0, false, ''])('may be %j', async (value) => {
    const client = await called({ const: value }, { structuredContent: value });
    expect(await client.callTool('x')).toMatchObject({ structuredContent: value });
  });

  it('is not validated if the tool failed, or with checkOutput: false', async () => {
    const failed = await called(schema, { isError: true });
    expect(await failed.callTool('x')).toMatchObject({ isError: true });
    const trusting = await called(schema, {}, { checkOutput: false });
    expect(await trusting.callTool('x')).toMatchObject({ isError: false });
  });
});

describe('the listed tools', () => {
  it('are recorded over all pages, until the list restarts', async () => {
    let pages = 2;
    const outputSchema = { type: 'object', required: ['n'] };
    const { client } = await scripted(({ method, params }) => {
      if (method === 'tools/call') return { content: [] };
      if (method !== 'tools/list') return undefined;
      const name = params?.cursor === undefined && pages === 2 ? 'x' : 'y';
      return { tools: [{ name, outputSchema }, 7, { name: 8 }], ...(name === 'x' && { nextCursor: 'c' }) };
    });
    await client.listTools().all();
    await expect(client.callTool('x')).rejects.toThrow('gave no structured content');
    await expect(client.callTool('y')).rejects.toThrow('gave no structured content');
    pages = 1;
    await client.listTools().all();
    expect(await client.callTool('x')).toMatchObject({ content: [] });
    await expect(client.callTool('y')).rejects.toThrow('gave no structured content');
  });
});

describe('a hostile output schema', () => {
  it('is never fetched: a tool with a remote schema is not called', async () => {
    const client = await called({ $ref: 'http://127.0.0.1:9/schema.json' }, { structuredContent: {} });
    await expect(client.callTool('x')).rejects.toThrow(/^Tool "x" can't be called: The output schema can't be used/);
  });

  it('times out', async () => {
    const pattern = '^(a+)+\\1$';
    const structuredContent = { text: `${'a'.repeat(40)}!` };
    const client = await called(
      { type: 'object', properties: { text: { type: 'string', pattern } } },
      { structuredContent },
    );
    await expect(client.callTool('x')).rejects.toThrow(/too long to check/);
  });

  it('is cached up to a limit', async () => {
    const outputSchema = { type: 'object', required: ['n'], description: 'x'.repeat(6 * 1024 * 1024) };
    const tools = ['a', 'b', 'c'].map((name) => ({ name, inputSchema: { type: 'object' }, outputSchema }));
    const { client } = await scripted(({ method }) => {
      if (method === 'tools/list') return { tools };
      return method === 'tools/call' ? { content: [] } : undefined;
    });
    await client.listTools().all();
    await expect(client.callTool('b')).rejects.toThrow('gave no structured content');
    expect(await client.callTool('c')).toMatchObject({ isError: false });
  });
});
