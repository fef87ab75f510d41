import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { apiKey, type HttpService, serveHttp } from '@ccmcp/core/http';
import { serveStdio } from '@ccmcp/core/stdio';
import { describe, expect, it, vi } from 'vitest';
import { callTool, handshakeVersions, statelessVersion } from '../../../../test/support/ccmcp.ts';
import { expectError } from '../../../../test/support/mcp-client.ts';
import { connect } from './fixtures/connect.ts';
import { moonphaseHttp, moonphaseServer } from './server.ts';

const call = {
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: {
    name: 'shutdown',
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};

const answer = { id: 7, result: { content: [{ type: 'text', text: 'Shutting down' }], isError: false } };

describe('shutdown', () => {
  it('is answered first, and done once', async () => {
    let ended = 0;
    const client = await connect({ allowShutdown: () => (ended += 1) });
    expect(await callTool(client, 'shutdown')).toBe('Shutting down');
    expect(ended).toBe(0);
    expect(await callTool(client, 'shutdown')).toBe('Shutting down');
    await turn();
    expect(ended).toBe(1);
  });

  it.each([...handshakeVersions, statelessVersion])('is also a request, in %s', async (version) => {
    let ended = 0;
    const client = await connect({ version, allowShutdown: () => (ended += 1) });
    expect(await client.request('shutdown')).toBeDefined();
    expect(ended).toBe(0);
    await turn();
    expect(ended).toBe(1);
  });

  it('is an unknown method if it is not allowed', async () => {
    const client = await connect();
    expect(expectError(await client.sendRequest('shutdown'), -32601).message).toBe('Method not found: shutdown');
  });

  it('ends a connection on stdio after the response', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const server = moonphaseServer({ logLevel: 'emergency', allowShutdown: () => void connection.close() });
    const connection = serveStdio(server, { input, output });
    input.write(`${JSON.stringify(call)}\n`);
    await connection.closed;
    expect(JSON.parse(String(output.read()))).toMatchObject(answer);
  });

  it('ends the endpoint over HTTP after the response, for callers with the key only', async () => {
    const ended = vi.fn<() => void>();
    const closed = new Promise<void>((resolve) => ended.mockImplementation(() => resolve(service.close())));
    const server = moonphaseServer({ logLevel: 'emergency', allowShutdown: ended });
    const auth = apiKey({ header: moonphaseHttp.keyHeader, keys: ['secret'] });
    const service: HttpService = await serveHttp(server, { auth });
    const post = (key: string): Promise<Response> =>
      fetch(service.url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': '2026-07-28',
          'Mcp-Method': 'tools/call',
          'Mcp-Name': 'shutdown',
          'X-Api-Token': key,
        },
        body: JSON.stringify(call),
      });

    expect((await post('wrong')).status).toBe(401);
    expect(ended).not.toHaveBeenCalled();

    const allowed = await post('secret');
    expect(await allowed.json()).toMatchObject(answer);
    await closed;
    await expect(post('secret')).rejects.toThrow('fetch failed');
  });
});
