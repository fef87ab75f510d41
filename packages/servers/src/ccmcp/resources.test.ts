import { describe, expect, it } from 'vitest';
import { callTool } from '../../../../test/support/ccmcp.ts';
import type { McpClient } from '../../../../test/support/mcp-client.ts';
import { connect } from './fixtures/connect.ts';

async function read(client: McpClient, uri: string): Promise<{ uri: string; mimeType: string; text: string }> {
  const { contents } = await client.request('resources/read', { uri });
  expect(contents).toHaveLength(1);
  return contents[0];
}

describe('the resources', () => {
  it('are three, each with a name, a description and a type', async () => {
    const { resources } = await (await connect()).request('resources/list');
    expect(resources).toMatchObject([
      { uri: 'config://server', mimeType: 'application/json' },
      { uri: 'stats://usage', mimeType: 'text/plain' },
      { uri: 'help://commands', mimeType: 'text/plain' },
    ]);
    for (const { name, description } of resources) expect([name, description]).not.toContain(undefined);
  });

  it('contain the configuration as JSON, with the current number of tools', async () => {
    const client = await connect();
    const config = await read(client, 'config://server');
    expect(config).toMatchObject({ uri: 'config://server', mimeType: 'application/json' });
    expect(JSON.parse(config.text)).toEqual({ name: 'ccmcp', version: '0.1.0', toolCount: 13 });
    await callTool(client, 'register_tool', { name: 'x', description: '', template: '' });
    expect(JSON.parse((await read(client, 'config://server')).text)).toMatchObject({ toolCount: 14 });
  });

  it('count every request, including this one, and no notification', async () => {
    const client = await connect();
    const requests = async (): Promise<number> =>
      Number(/^Requests: (\d+)\nUptime: \d+\.\d{3} s\n$/.exec((await read(client, 'stats://usage')).text)?.[1]);
    const before = await requests();
    client.sendNotification('notifications/roots/list_changed');
    expect(await requests()).toBe(before + 1);
    await callTool(client, 'hello', { name: 'x' });
    await callTool(client, 'hello');
    expect(await requests()).toBe(before + 4);
  });

  it('describe every tool on a line, registered ones too', async () => {
    const client = await connect();
    await callTool(client, 'register_tool', { name: 'x', description: 'About x', template: '' });
    const { text } = await read(client, 'help://commands');
    const { tools } = await client.request('tools/list');
    const lines = tools.map(({ name, description }: Record<string, string>) => `${name}: ${description}\n`);
    expect(text).toBe(lines.join(''));
    expect(text).toContain('x: About x\n');
  });

  it.each([
    ['2024-11-05', -32002],
    ['2025-11-25', -32002],
    ['2026-07-28', -32602],
  ])('are an error if they do not exist, in %s (S-R-02)', async (version, code) => {
    const client = await connect({ version });
    await expect(client.request('resources/read', { uri: 'config://other' })).rejects.toMatchObject({
      code,
      data: { uri: 'config://other' },
    });
  });
});
