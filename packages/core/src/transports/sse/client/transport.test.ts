import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { connect } from '../../../client/connect.ts';
import type { Receiver } from '../../../client/transport.ts';
import type { Message } from '../../../jsonrpc/message.ts';
import { MethodTable } from '../../../protocol/methods.ts';
import { answer, reject, type Script, scripted, stream } from '../../http/client/fixtures/scripted.ts';
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
    const reply = (result: object): unknown =>
      events?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    if (method === 'initialize') reply({ protocolVersion: params.protocolVersion, capabilities: {} });
    if (method === 'tools/list') reply({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] });
    if (method === 'tools/call') events?.end();
    return true;
  };
}

const initialize: Message = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

function receiver(receive: Receiver['receive']): Receiver {
  return { methods: new MethodTable(), receive, warn: () => {}, sessionLost: () => {}, closed: () => {} };
}

describe('the HTTP+SSE client', () => {
  it('sends messages to the endpoint and receives responses on the stream', async () => {
    const { url } = await scripted(firstTransport());
    const client = await connect(sseTransport(url));
    expect(client.era).toBe('handshake');
    expect(await client.listTools().all()).toMatchObject([{ name: 'a' }]);
    await client.close();
  });

  it('is the fallback for servers without Streamable HTTP (C-H-07)', async () => {
    const { url } = await scripted(firstTransport());
    const client = await connect(httpTransport(url));
    expect(await client.listTools().all()).toMatchObject([{ name: 'a' }]);
    await client.close();
  });

  it('is dropped on a restart if the server supports Streamable HTTP by then', async () => {
    let isNewer = false;
    const first = firstTransport();
    const { url, seen } = await scripted((...given) => (isNewer ? undefined : first(...given)));
    const transport = httpTransport(url);
    const received: Message[] = [];
    const listener = receiver((message) => void received.push(message));
    await transport.start(listener);
    await transport.send(initialize);
    expect(seen.map(({ verb }) => verb)).toEqual(['POST', 'GET', 'POST']);
    await transport.close();
    isNewer = true;
    await transport.start(listener);
    await transport.send(initialize);
    expect(received.at(-1)).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
    expect(seen.slice(3).map(({ verb }) => verb)).toEqual(['POST']);
    await transport.close();
  });

  it('sends nothing if the stream could not be reopened', async () => {
    let isGone = false;
    const first = firstTransport();
    const { url, seen } = await scripted((...given) => (isGone ? reject(given[1], 503) : first(...given)));
    const transport = sseTransport(url);
    await transport.start(receiver(() => {}));
    await transport.send(initialize);
    await transport.close();
    isGone = true;
    await expect(transport.start(receiver(() => {}))).rejects.toThrow('503');
    const before = seen.length;
    await expect(transport.send(initialize)).rejects.toThrow('The stream is not open');
    expect(seen).toHaveLength(before);
  });

  it('closes when the stream ends', async () => {
    const { url } = await scripted(firstTransport());
    const client = await connect(sseTransport(url));
    await expect(client.callTool('a')).rejects.toThrow(/^The stream of http:\/\/127\.0\.0\.1:\d+\/mcp ended$/);
    await client.close();
  });

  it('rejects an endpoint of another origin', async () => {
    const { url } = await scripted(firstTransport('http://example.com/messages'));
    await expect(connect(sseTransport(url))).rejects.toThrow('The server names an address of another origin');
  });

  it('rejects protocol versions of the stateless era', async () => {
    const { url } = await scripted(firstTransport());
    await expect(connect(sseTransport(url), { era: 'stateless' })).rejects.toThrow(
      'This transport does not support that version',
    );
  });

  it.each([
    ['a rejection', (response: ServerResponse) => reject(response, 503), 'The server answered 503'],
    [
      'a rejection of the protocol',
      (response: ServerResponse) => reject(response, 400, { code: -32600, message: 'Not here' }),
      'Not here',
    ],
    ['something else', (response: ServerResponse) => answer(response, 1, {}), 'has no event stream'],
    [
      'a stream that ends at once',
      (response: ServerResponse) => {
        stream(response, ': nothing');
        response.end();
        return true;
      },
      /^The stream of http:.* ended$/,
    ],
    [
      'an address that is none',
      (response: ServerResponse) => stream(response, 'event: endpoint\ndata: http://['),
      'of another origin',
    ],
  ])('is none where the stream is %s', async (_, serve, message) => {
    const { url } = await scripted((__, response) => serve(response));
    await expect(connect(sseTransport(url))).rejects.toThrow(message);
  });

  it('rejects a message with the status of the POST', async () => {
    const first = firstTransport();
    const { url } = await scripted((seen, response, request) => {
      if (seen.method === 'prompts/list') return reject(response, 500);
      return seen.method === 'prompts/get'
        ? reject(response, 400, { code: -32600, message: 'No' })
        : first(seen, response, request);
    });
    const client = await connect(sseTransport(url));
    await expect(client.listPrompts().all()).rejects.toMatchObject({ name: 'HttpError', status: 500 });
    await expect(client.getPrompt('x')).rejects.toMatchObject({ name: 'HttpError', status: 400, message: 'No' });
    await client.close();
  });

  it('warns about invalid messages, and ignores other events', async () => {
    const warnings: string[] = [];
    const first = firstTransport();
    const { url } = await scripted((seen, response, request) => {
      const served = first(seen, response, request);
      if (seen.verb === 'GET') response.write('event: weather\ndata: rain\n\nevent: message\ndata: {}\n\n');
      return served;
    });
    const client = await connect(sseTransport(url), { onWarning: (text) => warnings.push(text) });
    await client.listTools().all();
    expect(warnings).toEqual([expect.stringMatching(/^The server sent an invalid message: ./)]);
    await client.close();
  });

  it('rejects messages before the stream is open', async () => {
    const { url } = await scripted(firstTransport());
    const sent = sseTransport(url).send({ jsonrpc: '2.0', method: 'notifications/x' });
    await expect(sent).rejects.toThrow('The stream is not open');
  });

  it('closes the stream without a warning when the client is closed', async () => {
    const reasons: Error[] = [];
    let left = (): void => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    const first = firstTransport();
    const { url } = await scripted((seen, response, request) => {
      if (seen.verb === 'GET') response.on('close', left);
      return first(seen, response, request);
    });
    const client = await connect(sseTransport(url), { onClose: (reason) => reasons.push(reason) });
    await client.close();
    await gone;
    expect(reasons).toEqual([]);
  });
});

describe('the fallback to HTTP+SSE', () => {
  it.each([
    [400, true],
    [404, true],
    [405, true],
    [403, false],
    [410, false],
  ])('is tried after status %i: %s (C-H-07)', async (status, isTried) => {
    const { url, seen } = await scripted(({ verb }, response) => reject(response, verb === 'POST' ? status : 418));
    const failed = await connect(httpTransport(url), { era: 'handshake' }).catch((error: Error) => error);
    expect(failed).toMatchObject({ name: 'HttpError', status });
    expect(seen.some(({ verb }) => verb === 'GET')).toBe(isTried);
  });

  it('is used for all later messages, and closed with the client', async () => {
    const { url, seen } = await scripted(firstTransport());
    const client = await connect(httpTransport(url), { era: 'handshake' });
    await client.listTools().all();
    await client.close();
    expect(seen.map(({ verb, method }) => method ?? verb)).toEqual([
      'initialize',
      'GET',
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
  });
});
