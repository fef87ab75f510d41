import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client } from '../../../client/client.ts';
import { connect } from '../../../client/connect.ts';
import type { ConnectOptions } from '../../../client/connect-options.ts';
import { answer, reject, type Script, type RecordedRequest, scripted, stream, version } from './fixtures/scripted.ts';
import { httpTransport } from './transport.ts';

const supported = { code: -32022, message: 'Unsupported', data: { supported: [version.stateless] } };
const text = { content: [{ type: 'text', text: 'done' }] };

async function reach(
  script: Script,
  options: ConnectOptions = {},
): Promise<{ client: Client; seen: RecordedRequest[]; warnings: string[] }> {
  const { url, seen } = await scripted(script);
  const warnings: string[] = [];
  const client = await connect(httpTransport(url), { onWarning: (warning) => warnings.push(warning), ...options });
  onTestFinished(() => client.close());
  return { client, seen, warnings };
}

const tool = (name: string, header: unknown, type = 'string'): object => ({
  name,
  inputSchema: { type: 'object', properties: { value: { type, 'x-mcp-header': header } } },
});

describe('a client of the stateless era', () => {
  it('mirrors version, method and name in headers (C-M-02)', async () => {
    const { client, seen } = await reach(({ method, id }, response) =>
      method === 'resources/read' ? answer(response, id, { contents: [] }) : undefined,
    );
    await client.readResource('file:///grüße');
    expect(seen.at(-1)?.headers).toMatchObject({
      'mcp-protocol-version': version.stateless,
      'mcp-method': 'resources/read',
      'mcp-name': `=?base64?${Buffer.from('file:///grüße').toString('base64')}?=`,
    });
    expect(seen.some(({ verb }) => verb !== 'POST')).toBe(false);
  });

  it('retries once with an offered version (C-V-06)', async () => {
    let rejections = 0;
    const { client } = await reach(({ method, id }, response) => {
      if (method !== 'server/discover' || rejections > 0) return undefined;
      rejections += 1;
      return reject(response, 400, supported, id);
    });
    expect(client.era).toBe('stateless');
    const never = await scripted(({ id }, response) => reject(response, 400, supported, id));
    await expect(connect(httpTransport(never.url))).rejects.toThrow('supports none of our protocol versions');
    expect(never.seen.map(({ method }) => method)).toEqual(['server/discover', 'server/discover']);
  });

  it.each([
    [
      'an error of the protocol',
      (response: Parameters<Script>[1]) => reject(response, 400, { code: -32600, message: 'no' }),
    ],
    ['a bare 404', (response: Parameters<Script>[1]) => reject(response, 404)],
    ['a bare 405', (response: Parameters<Script>[1]) => reject(response, 405)],
  ])('takes a server that answers with %s for an older one, and remembers that (C-V-07)', async (_, rejection) => {
    const { url, seen } = await scripted(({ method }, response) =>
      method === 'server/discover' ? rejection(response) : undefined,
    );
    for (const time of [1, 2]) {
      const client = await connect(httpTransport(url));
      expect([time, client.era]).toEqual([time, 'handshake']);
      await client.close();
    }
    expect(seen.filter(({ method }) => method === 'server/discover')).toHaveLength(1);
  });

  it('leaves out tools with invalid header annotations, with a warning (C-M-03)', async () => {
    const tools = [
      tool('good', 'Region'),
      tool('empty', ''),
      tool('spaced', 'My Region'),
      tool('float', 'Score', 'number'),
      { name: 'plain', inputSchema: { type: 'object' } },
    ];
    const { client, warnings } = await reach(({ method, id }, response) =>
      method === 'tools/list' ? answer(response, id, { tools }) : undefined,
    );
    expect((await client.listTools().all()).map(({ name }) => name)).toEqual(['good', 'plain']);
    expect(warnings).toHaveLength(3);
    expect(warnings[0]).toMatch(/^Tool "empty" is left out: "x-mcp-header" at "#\/properties\/value" is not the name/);
  });

  it('lists the tools again after a header mismatch, and retries once (C-M-04)', async () => {
    const { client, seen } = await reach(({ method, id, headers }, response) => {
      if (method === 'tools/list') return answer(response, id, { tools: [tool('good', 'Region')] });
      if (method !== 'tools/call') return undefined;
      if (headers['mcp-param-region'] === 'eu') return answer(response, id, text);
      return reject(response, 400, { code: -32020, message: 'Header mismatch' }, id);
    });
    expect(await client.callTool('good', { value: 'eu' })).toMatchObject(text);
    await expect(client.callTool('good', { value: 'us' })).rejects.toMatchObject({ code: -32020 });
    expect(seen.filter(({ method }) => method === 'tools/call')).toHaveLength(4);
  });

  it('cancels by closing the stream, without a notification (C-M-07)', async () => {
    let left = (): void => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    const { client, seen } = await reach(({ method }, response) => {
      if (method !== 'tools/call') return undefined;
      response.on('close', left);
      return stream(response, ': working');
    });
    await expect(client.callTool('x', {}, { timeoutMs: 50 })).rejects.toThrow('No answer to "tools/call" within 50 ms');
    await gone;
    expect(seen.map(({ method }) => method)).toEqual(['server/discover', 'tools/call']);
  });

  it('does not resume a broken stream', async () => {
    const { client, seen } = await reach(({ method }, response) => {
      if (method !== 'tools/call') return undefined;
      stream(response, 'id: e1\nretry: 1\ndata:');
      response.end();
      return true;
    });
    await expect(client.callTool('x')).rejects.toThrow('The stream ended before the answer came');
    expect(seen.some(({ verb }) => verb === 'GET')).toBe(false);
  });

  it('reconnects a broken subscription, and reports everything as changed', async () => {
    let times = 0;
    const { client } = await reach(({ method, id }, response) => {
      if (method !== 'subscriptions/listen') return undefined;
      times += 1;
      const params = {
        notifications: { toolsListChanged: true },
        _meta: { 'io.modelcontextprotocol/subscriptionId': id },
      };
      const acknowledged = { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params };
      stream(response, `data: ${JSON.stringify(acknowledged)}`);
      if (times === 1) response.end();
      return true;
    });
    const subscription = await client.listen({ tools: true });
    expect(await subscription[Symbol.asyncIterator]().next()).toEqual({ done: false, value: { kind: 'tools' } });
    expect(times).toBe(2);
    await subscription.close();
  });
});

describe('credentials', () => {
  it('are renewed and retried, at most three times', async () => {
    const received: unknown[] = [];
    let token = 0;
    const auth = {
      headers: async () => ({ authorization: `Bearer token-${token}` }),
      unauthorized: async (response: object) => {
        received.push(response);
        token += 1;
        return true;
      },
    };
    const good = await scripted(({ headers }, response) => {
      if (headers.authorization === 'Bearer token-1') return undefined;
      response.writeHead(401, { 'www-authenticate': 'Bearer scope="a"' }).end();
      return true;
    });
    const client = await connect(httpTransport(good.url, { auth, headers: { 'x-own': 'yes' } }));
    expect(received).toMatchObject([{ status: 401, wwwAuthenticate: 'Bearer scope="a"', url: good.url }]);
    expect(good.seen.at(-1)?.headers).toMatchObject({ 'x-own': 'yes', authorization: 'Bearer token-1' });
    await client.close();

    const bad = await scripted((_, response) => reject(response, 401));
    const failed = await connect(httpTransport(bad.url, { auth })).catch((error: Error) => error);
    expect(failed).toMatchObject({ name: 'HttpError', status: 401 });
    expect((failed as Error).message).not.toContain('token-');
    expect(bad.seen).toHaveLength(3);
  });

  it('are renewed for a missing scope, but not for any other 403', async () => {
    let asked = 0;
    const auth = {
      headers: async () => ({ authorization: `Bearer ${asked}` }),
      unauthorized: async () => {
        asked += 1;
        return true;
      },
    };
    const { url } = await scripted(({ headers }, response) => {
      if (headers.authorization === 'Bearer 1') return undefined;
      response.writeHead(403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="b"' }).end();
      return true;
    });
    await (await connect(httpTransport(url, { auth }))).close();
    expect(asked).toBe(1);
    const closed = await scripted((_, response) => reject(response, 403));
    await expect(connect(httpTransport(closed.url, { auth }))).rejects.toMatchObject({ status: 403 });
    expect(asked).toBe(1);
  });
});
