import { describe, expect, it } from 'vitest';
import { McpClient } from '../../../../test/support/mcp-client.ts';
import { memoryWire } from '../../../../test/support/wires.ts';
import { greetingServer } from './server.ts';

describe.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])('greeting in %s', (version) => {
  it('greets by a tool that is a class', async () => {
    const client = new McpClient(memoryWire(greetingServer()), { version });
    const { result } = await client.initialize();
    const info = result.serverInfo ?? result._meta['io.modelcontextprotocol/serverInfo'];
    expect(info).toEqual({ name: 'GreetingServer', version: '1.0.0' });
    const { tools } = await client.request('tools/list');
    expect(tools).toMatchObject([{ name: 'HelloTool', inputSchema: { required: ['value'] } }]);
    const greeted = await client.request('tools/call', { name: 'HelloTool', arguments: { value: 'Ada' } });
    expect(greeted).toMatchObject({ content: [{ type: 'text', text: 'Hello-bonjour Ada!' }], isError: false });
  });
});
