import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client } from '../../../client/client.ts';
import { connect } from '../../../client/connect.ts';
import type { ConnectOptions } from '../../../client/connect-options.ts';
import { answer, reject, type Script, type RecordedRequest, scripted, stream, version } from './fixtures/scripted.ts';
import { httpTransport } from './transport.ts';

async function reach(
  script: Script,
  options: ConnectOptions = {},
): Promise<{ client: Client; seen: RecordedRequest[] }> {
  const { url, seen } = await scripted(script);
  const client = await connect(httpTransport(url), { era: 'handshake', onWarning: () => {}, ...options });
  onTestFinished(() => client.close());
  return { client, seen };
}

const text = { content: [{ type: 'text', text: 'done' }] };

describe('a client of the handshake era', () => {
  it('sends session id and version, accepts JSON and streams, and deletes the session (C-H-01, C-H-02, C-H-03)', async () => {
    const { client, seen } = await reach(({ method, id }, response) =>
      method === 'tools/call' ? answer(response, id, text) : undefined,
    );
    await client.callTool('x');
    await client.close();
    const [initialize, initialized, get, call, goodbye] = seen;
    expect(initialize?.headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    });
    expect(initialize?.headers).not.toHaveProperty('mcp-session-id');
    expect(initialized).toMatchObject({ method: 'notifications/initialized' });
    expect(get).toMatchObject({ verb: 'GET', headers: { accept: 'text/event-stream' } });
    expect(goodbye?.verb).toBe('DELETE');
    for (const one of [initialized, get, call, goodbye]) {
      expect(one?.headers).toMatchObject({
        'mcp-session-id': 'session-1',
        'mcp-protocol-version': version.handshake,
      });
    }
  });

  it('waits for the server stream, so that no message on it is lost', async () => {
    let standalone: ServerResponse | undefined;
    let calling: { id: RecordedRequest['id']; response: ServerResponse } | undefined;
    const { client } = await reach(
      ({ verb, method, id }, response) => {
        if (verb === 'GET') {
          standalone = response;
          return stream(response, ': open');
        }
        if (method === 'tools/call') {
          calling = { id, response };
          standalone?.write('data: {"jsonrpc":"2.0","id":"q","method":"roots/list"}\n\n');
          return true;
        }
        if (id !== 'q') return undefined;
        response.writeHead(202).end();
        return calling === undefined ? true : answer(calling.response, calling.id, text);
      },
      { roots: [{ uri: 'file:///a' }] },
    );
    expect(await client.callTool('x')).toMatchObject(text);
  });

  it('resumes a broken stream after the retry delay, with Last-Event-ID (C-H-04)', async () => {
    let id: RecordedRequest['id'];
    let hungUp = 0;
    const { client, seen } = await reach((one, response) => {
      if (one.method === 'tools/call') {
        id = one.id;
        stream(response, 'id: e1\nretry: 150\ndata:');
        response.end();
        hungUp = Date.now();
        return true;
      }
      if (one.headers['last-event-id'] === undefined) return undefined;
      stream(response, `id: e2\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: text })}`);
      response.end();
      return true;
    });
    expect(await client.callTool('x')).toMatchObject(text);
    const back = seen.find(({ headers }) => headers['last-event-id'] !== undefined);
    expect(back).toMatchObject({ verb: 'GET', headers: { 'last-event-id': 'e1', 'mcp-session-id': 'session-1' } });
    expect((back?.at ?? 0) - hungUp).toBeGreaterThanOrEqual(145);
  });

  it('rejects the request if a stream without ids breaks', async () => {
    const { client } = await reach(({ method }, response) => {
      if (method !== 'tools/call') return undefined;
      stream(response, 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}');
      response.end();
      return true;
    });
    await expect(client.callTool('x')).rejects.toThrow('The stream ended before the answer came');
  });

  it('starts a new session after 404, and retries once (C-H-02)', async () => {
    let sessions = 0;
    const { client, seen } = await reach(({ method, id, headers, params }, response) => {
      if (method === 'initialize') {
        sessions += 1;
        const result = { protocolVersion: params.protocolVersion, capabilities: {} };
        return answer(response, id, result, { 'mcp-session-id': `session-${sessions}` });
      }
      if (method !== 'tools/call') return undefined;
      return headers['mcp-session-id'] === 'session-1' ? reject(response, 404) : answer(response, id, text);
    });
    expect(await client.callTool('x')).toMatchObject(text);
    const methods = seen.map(({ method }) => method).filter((method) => method !== undefined);
    const each = ['initialize', 'notifications/initialized', 'tools/call'];
    expect(methods).toEqual([...each, ...each]);
  });

  it('does not retry forever if every session is dropped at once', async () => {
    const { client, seen } = await reach(({ method }, response) =>
      method === 'tools/call' ? reject(response, 404) : undefined,
    );
    await expect(client.callTool('x')).rejects.toThrow('The server dropped the session');
    expect(seen.filter(({ method }) => method === 'tools/call')).toHaveLength(2);
  });

  it('sends a cancellation when it aborts (C-H-05)', async () => {
    const { client, seen } = await reach(({ method }) => method === 'tools/call');
    const controller = new AbortController();
    const call = client.callTool('x', {}, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await client.close();
    expect(seen.find(({ method }) => method === 'notifications/cancelled')?.params).toMatchObject({ reason: 'enough' });
  });
});

describe('a keep-alive connection', () => {
  it('that was closed while idle is retried for repeatable requests', async () => {
    let connections = 0;
    const { client } = await reach(({ method, id }, response, request) => {
      if (method !== 'prompts/get') return undefined;
      connections += 1;
      answer(response, id, { messages: [] });
      // Not sent in a header, and only after the answer.
      response.on('finish', () => request.socket.destroySoon());
      return true;
    });
    for (let i = 0; i < 5; i += 1) expect(await client.getPrompt('x')).toMatchObject({ messages: [] });
    expect(connections).toBe(5);
  });

  it('that breaks during a call rejects it without a retry, since it may have been served', async () => {
    const served: string[] = [];
    const { client } = await reach(({ method, id, params }, response, request) => {
      if (method !== 'tools/call') return undefined;
      const name = String((params as { name: unknown }).name);
      served.push(name);
      if (name === 'deadly') return request.socket.destroy().destroyed;
      answer(response, id, text);
      return true;
    });
    await client.callTool('first');
    await expect(client.callTool('deadly')).rejects.toThrow(
      /ECONNRESET.*may have been served, so it is not sent again/,
    );
    expect(await client.callTool('later')).toMatchObject(text);
    expect(served).toEqual(['first', 'deadly', 'later']);
  });

  it('that breaks during a call with an idempotency key is retried', async () => {
    let served = 0;
    const { client } = await reach(({ method, id }, response, request) => {
      if (method !== 'tools/call') return undefined;
      served += 1;
      if (served === 2) return request.socket.destroy().destroyed;
      answer(response, id, text);
      return true;
    });
    await client.callTool('x');
    expect(await client.callTool('x', {}, { idempotencyKey: 'one' })).toMatchObject(text);
    expect(served).toBe(3);
  });

  it('is not used with a custom fetch', async () => {
    const asked: unknown[] = [];
    const { url } = await scripted(({ method, id }, response) =>
      method === 'tools/call' ? answer(response, id, text) : undefined,
    );
    const recording: typeof fetch = (...args) => {
      asked.push(args[1]?.method);
      return fetch(...args);
    };
    const client = await connect(httpTransport(url, { fetch: recording }), { era: 'handshake' });
    expect(await client.callTool('x')).toMatchObject(text);
    await client.close();
    expect(asked).toEqual(['POST', 'POST', 'GET', 'POST', 'DELETE']);
  });
});

describe('a server that rejects', () => {
  it.each([
    [503, 'The server answered 503 Service Unavailable'],
    [401, 'The server wants credentials (401)'],
    [403, 'The server answered 403 Forbidden'],
  ])('with %i is no reason to try another era, and is named without its secrets', async (status, message) => {
    const { url, seen } = await scripted((_, response) => reject(response, status));
    const failed = await connect(httpTransport(url)).catch((error: Error) => error);
    expect(failed).toMatchObject({ name: 'HttpError', status });
    expect((failed as Error).message).toContain(message);
    expect((failed as Error).message).not.toContain('secret');
    expect(seen.map(({ method }) => method)).toEqual(['server/discover']);
  });

  it('with 500 is tried in the other era, and reported with its first error', async () => {
    const { url, seen } = await scripted((_, response) => reject(response, 500));
    const failed = await connect(httpTransport(url)).catch((error: Error) => error);
    expect(failed).toMatchObject({ name: 'HttpError', status: 500 });
    expect(seen.map(({ method }) => method)).toEqual(['server/discover', 'initialize']);
  });

  it('connections is named without secrets', async () => {
    const failed = await connect(httpTransport('http://127.0.0.1:9/mcp?key=secret')).catch((error: Error) => error);
    expect((failed as Error).message).toBe('No connection to http://127.0.0.1:9/mcp: ECONNREFUSED');
  });

  it('with a redirect to another origin gets no messages or credentials there', async () => {
    const other = await scripted(() => undefined);
    const { url } = await scripted((_, response) => {
      response.writeHead(307, { location: other.url }).end();
      return true;
    });
    await expect(connect(httpTransport(url))).rejects.toThrow('connect there if you trust it');
    expect(other.seen).toEqual([]);
  });

  it('with a redirect within its origin is followed', async () => {
    const { url } = await scripted((_, response, request) => {
      if (request.url?.startsWith('/mcp/') === true) return undefined;
      response.writeHead(308, { location: '/mcp/' }).end();
      return true;
    });
    const client = await connect(httpTransport(url));
    expect(client.era).toBe('stateless');
    await client.close();
  });
});
