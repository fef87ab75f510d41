import { describe, expect, it } from 'vitest';
import { McpClient } from '../../../../test/support/mcp-client.ts';
import { memoryWire } from '../../../../test/support/wires.ts';
import { tool } from './define.ts';
import { createServer } from './create-server.ts';

const nameForm = { type: 'object', properties: { name: { type: 'string' } } } as const;

describe('a question to a handshake client', () => {
  it('is given up, and taken back, when no answer comes in time (S-V-14)', async () => {
    const server = createServer({
      name: 'asking',
      version: '1',
      questionTimeoutMs: 20,
      tools: [tool('ask', {}, async (_, { elicit }) => (await elicit({ message: 'Who?', schema: nameForm })).action)],
    });
    const client = new McpClient(memoryWire(server), { version: '2025-11-25', capabilities: { elicitation: {} } });
    await client.initialize();
    const { error } = await client.sendRequest('tools/call', { name: 'ask' });
    expect(error?.message).toBe('The client did not answer "elicitation/create" within 0.02 seconds');
    const asked = client.received.find(({ method }) => method === 'elicitation/create');
    const { params } = await client.readNotification('notifications/cancelled');
    expect(params).toEqual({ requestId: asked?.id });
  });

  it('is taken back when the call is over without it', async () => {
    const server = createServer({
      name: 'asking',
      version: '1',
      tools: [
        tool('ask', {}, async (_, { elicit, roots }) => {
          await Promise.all([elicit({ message: 'Who?', schema: nameForm }), roots()]);
        }),
      ],
    });
    const client = new McpClient(memoryWire(server), { version: '2025-11-25', capabilities: { elicitation: {} } });
    await client.initialize();
    const { error } = await client.sendRequest('tools/call', { name: 'ask' });
    expect(error?.code).toBe(-32021);
    await client.readNotification('notifications/cancelled');
  });
});
