import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { connect } from '../../../client/connect.ts';
import { type Script, scripted, stream } from '../../http/client/fixtures/scripted.ts';
import { httpTransport } from '../../http/client/transport.ts';
import { sseTransport } from './transport.ts';

/** A server of the first transport: a stream, and an address for messages that it names. */
function firstTransport(address = '/messages?sessionId=1'): Script {
  let events: ServerResponse | undefined;
  return ({ verb, method, id, params }, response, request) => {
    if (verb === 'GET') {
      events = response;
      return stream(response, `event: endpoint\ndata: ${address}`);
    }
    if (request.url !== address) {
      response.writeHead(405).end();
      return true;
    }
    response.writeHead(202).end('Accepted');
    const tell = (result: object): unknown =>
      events?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    if (method === 'initialize') tell({ protocolVersion: params.protocolVersion, capabilities: {} });
    if (method === 'tools/list') tell({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] });
    if (method === 'tools/call') events?.end();
    return true;
  };
}

describe('a server with a stream and an address for messages', () => {
  it('is talked to', async () => {
    const { url } = await scripted(firstTransport());
    const client = await connect(sseTransport(url));
    expect(client.era).toBe('handshake');
    expect(await client.listTools().all()).toMatchObject([{ name: 'a' }]);
    await client.close();
  });

  it('is found where nothing newer is there (C-H-07)', async () => {
    const { url } = await scripted(firstTransport());
    const client = await connect(httpTransport(url));
    expect(await client.listTools().all()).toMatchObject([{ name: 'a' }]);
    await client.close();
  });

  it('ends with its stream', async () => {
    const { url } = await scripted(firstTransport());
    const client = await connect(sseTransport(url));
    await expect(client.callTool('a')).rejects.toThrow(/^The stream of http:\/\/127\.0\.0\.1:\d+\/mcp ended$/);
    await client.close();
  });

  it('may not name an address of another origin', async () => {
    const { url } = await scripted(firstTransport('http://example.com/messages'));
    await expect(connect(sseTransport(url))).rejects.toThrow('The server names an address of another origin');
  });

  it('can not be asked for what is newer', async () => {
    const { url } = await scripted(firstTransport());
    await expect(connect(sseTransport(url), { era: 'stateless' })).rejects.toThrow('This transport is older');
  });
});
