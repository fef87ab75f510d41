import { describe, expect, it } from 'vitest';
import { emptyFolder, toolNames } from '../../../../test/support/ccmcp.ts';
import { builtIns } from './fixtures/built-ins.ts';
import { connect } from './fixtures/connect.ts';
import { ccmcpServer } from './server.ts';

describe('the ccmcp server', () => {
  it('has a name, a version and capabilities', () => {
    const server = ccmcpServer({ root: emptyFolder() });
    expect(server.info).toEqual({ name: 'ccmcp', version: '0.1.0' });
    expect(server.capabilities).toEqual({
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    });
  });

  it('lists its tools with descriptions and annotations', async () => {
    const client = await connect();
    expect(await toolNames(client)).toEqual(builtIns);
    const { tools } = await client.request('tools/list');
    for (const { description, inputSchema, annotations } of tools) {
      expect(description).toMatch(/\w/);
      expect(Object.keys(inputSchema.properties)).toEqual(expect.arrayContaining(inputSchema.required ?? []));
      for (const property of Object.values<object>(inputSchema.properties)) {
        expect(property).toMatchObject({ type: expect.any(String), description: expect.any(String) });
      }
      expect(annotations).toMatchObject({ openWorldHint: false, readOnlyHint: expect.any(Boolean) });
    }
  });

  it('rejects a folder that does not exist', () => {
    expect(() => ccmcpServer({ root: '/no/such/folder' })).toThrow(/no such file or directory/);
  });

  it('shares no state with another server', async () => {
    const [one, other] = [await connect(), await connect()];
    const args = { name: 'mine', description: '', template: '' };
    await one.request('tools/call', { name: 'register_tool', arguments: args });
    expect(await toolNames(one)).toContain('mine');
    expect(await toolNames(other)).not.toContain('mine');
  });
});
