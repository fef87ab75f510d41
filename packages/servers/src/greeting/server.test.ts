import { expectText, testClient } from '@ccmcp/core/testing';
import { describe, expect, it } from 'vitest';
import { greetingServer } from './server.ts';

describe.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])('greeting in %s', (version) => {
  it('declares only tools, lists its tool, and greets', async () => {
    const client = await testClient(greetingServer(), { version });
    expect(client.serverInfo).toEqual({ name: 'GreetingServer', version: '1.0.0' });
    expect(client.capabilities).toEqual({ tools: {} });
    expect(await client.listTools().all()).toEqual([
      {
        name: 'HelloTool',
        description: 'A tool that greets users',
        inputSchema: {
          type: 'object',
          properties: { value: { type: 'string', description: 'User name to greet' } },
          required: ['value'],
        },
      },
    ]);
    expect(expectText(await client.callTool('HelloTool', { value: 'Ada' }))).toBe('Hello-bonjour Ada!');
  });
});
