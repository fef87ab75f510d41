import { expectText, testClient } from '@ccmcp/core/testing';
import { describe, expect, it } from 'vitest';
import { greetingServer } from './server.ts';

describe.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])('greeting in %s', (version) => {
  it('greets by a tool that is a class', async () => {
    const client = await testClient(greetingServer(), { version });
    expect(client.serverInfo).toEqual({ name: 'GreetingServer', version: '1.0.0' });
    expect(await client.listTools().all()).toMatchObject([{ name: 'HelloTool', inputSchema: { required: ['value'] } }]);
    expect(expectText(await client.callTool('HelloTool', { value: 'Ada' }))).toBe('Hello-bonjour Ada!');
  });
});
