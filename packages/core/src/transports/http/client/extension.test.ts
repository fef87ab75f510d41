import { describe, expect, it, onTestFinished } from 'vitest';
import { tickets } from '../../../client/fixtures/tickets.ts';
import { connect } from '../../../client/connect.ts';
import { answer, reject, type Script, type RecordedRequest, scripted } from './fixtures/scripted.ts';
import { httpTransport } from './transport.ts';

const done = { content: [{ type: 'text', text: 'done' }] };

const serving: Script = ({ method, id }, response) => {
  if (method === 'tools/call') return answer(response, id, { resultType: 'ticket', ticketId: 'tück' });
  return method === 'tickets/get' ? answer(response, id, { done }) : undefined;
};

async function called(era: 'handshake' | 'stateless'): Promise<RecordedRequest[]> {
  const { url, seen } = await scripted(serving);
  const client = await connect(httpTransport(url), { era, extensions: [tickets()] });
  onTestFinished(() => client.close());
  expect(await client.callTool('x')).toMatchObject(done);
  return seen;
}

describe('the methods of an extension over HTTP', () => {
  it('have mirrored headers as the extension says, and declare it in each request (X-02)', async () => {
    const seen = await called('stateless');
    expect(seen.map(({ method }) => method)).toEqual(['server/discover', 'tools/call', 'tickets/get']);
    expect(seen[2]?.headers).toMatchObject({
      'mcp-method': 'tickets/get',
      'mcp-name': `=?base64?${Buffer.from('tück').toString('base64')}?=`,
    });
    for (const { params } of seen) {
      expect(params._meta).toMatchObject({
        'io.modelcontextprotocol/clientCapabilities': { extensions: { 'com.example/tickets': {} } },
      });
    }
  });

  it('work in a session too, without mirrored headers (X-03)', async () => {
    const seen = await called('handshake');
    const posts = seen.filter(({ verb, id }) => verb === 'POST' && id !== undefined);
    expect(posts.map(({ method }) => method)).toEqual(['initialize', 'tools/call', 'tickets/get']);
    expect(posts[0]?.params).toMatchObject({ capabilities: { extensions: { 'com.example/tickets': {} } } });
    expect(posts[2]?.headers).not.toHaveProperty('mcp-name');
    expect(posts[2]?.headers).toHaveProperty('mcp-session-id', 'session-1');
  });

  it.each(['handshake', 'stateless'] as const)(
    'that the server does not have are rejected by it, with what it wants instead: %s (X-04, X-05)',
    async (era) => {
      const data = { requiredCapabilities: { extensions: { 'com.example/other': {} } } };
      const { url } = await scripted(({ method, id }, response) =>
        method === 'other/get' ? reject(response, 400, { code: -32021, message: 'Missing', data }, id) : undefined,
      );
      const client = await connect(httpTransport(url), { era, extensions: [tickets()] });
      onTestFinished(() => client.close());
      await expect(client.request('other/get')).rejects.toMatchObject({ code: -32021, data });
      if (era === 'handshake') return;
      await expect(client.request('tickets/get', { ticketId: 't1' })).rejects.toMatchObject({ code: -32601 });
    },
  );
});
