import { ErrorCode, ProtocolError } from '@ccmcp/core';
import { type Client, connect, HttpError, type Receiver } from '@ccmcp/core/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchLists } from './server-lists.ts';

/**
 * A client of a server with all lists. It answers some with an error, and none before all of `asked` are requested.
 */
async function clientOf(errors: Record<string, { code: number; message: string } | Error>, asked = 0): Promise<Client> {
  let receiver: Receiver | undefined;
  const waiting: Parameters<Receiver['receive']>[0][] = [];
  const client = await connect(
    {
      streamPerRequest: false,
      async start(by) {
        receiver = by;
      },
      async send(message) {
        if (!('method' in message) || !('id' in message)) return;
        const { id, method, params } = message;
        const error = errors[method];
        if (error instanceof Error) throw error;
        const result =
          method === 'initialize'
            ? {
                protocolVersion: params?.protocolVersion,
                capabilities: { tools: {}, resources: {}, prompts: {} },
                serverInfo: { name: 'n', version: '1' },
              }
            : { tools: [], resources: [], resourceTemplates: [], prompts: [] };
        const answer = { jsonrpc: '2.0' as const, id, ...(error === undefined ? { result } : { error }) };
        if (method === 'initialize') return receiver?.receive(answer);
        waiting.push(answer);
        if (waiting.length >= asked) for (const each of waiting.splice(0)) receiver?.receive(each);
      },
      close: async () => {},
    },
    { era: 'handshake' },
  );
  onTestFinished(() => client.close());
  return client;
}

const unknown = { code: ErrorCode.MethodNotFound, message: 'Method not found' };

describe('the lists of a server', () => {
  it('are complete if none fails', async () => {
    expect(await fetchLists(await clientOf({}))).toEqual({
      tools: [],
      resources: [],
      templates: [],
      prompts: [],
      failed: {},
    });
  });

  it('are requested in parallel, so that a silent server costs one timeout', async () => {
    expect((await fetchLists(await clientOf({}, 4))).failed).toEqual({});
  });

  it.each([
    ['tools/list', 'tools', unknown],
    ['resources/list', 'resources', unknown],
    ['resources/list', 'resources', { code: ErrorCode.InternalError, message: 'Internal error' }],
    ['resources/templates/list', 'templates', { code: ErrorCode.InternalError, message: 'Internal error' }],
    ['prompts/list', 'prompts', unknown],
    ['prompts/list', 'prompts', new HttpError(500, 'Out of order')],
  ] as const)('are there but for the one that fails: %s', async (method, name, error) => {
    const { failed, ...found } = await fetchLists(await clientOf({ [method]: error }));

    expect(Object.keys(failed)).toEqual([name]);
    expect(failed[name]).toBeInstanceOf(error instanceof Error ? HttpError : ProtocolError);
    expect(Object.keys(found)).toEqual(['tools', 'resources', 'templates', 'prompts'].filter((each) => each !== name));
  });

  it('include no templates if the server does not support any', async () => {
    expect(await fetchLists(await clientOf({ 'resources/templates/list': unknown }))).toMatchObject({
      templates: [],
      failed: {},
    });
  });

  it.each([401, 503])('fail if the server is unreachable: %i', async (status) => {
    const client = await clientOf({ 'prompts/list': new HttpError(status, 'No') });
    await expect(fetchLists(client)).rejects.toMatchObject({ status });
  });
});
