import { ErrorCode, ProtocolError } from '@ccmcp/core';
import { type Client, connect, HttpError, type Receiver } from '@ccmcp/core/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { offered } from './offered.ts';

/** A client of a server that has everything, and answers some lists with an error, or none before so many are asked for. */
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
  it('are all there where none fails', async () => {
    expect(await offered(await clientOf({}))).toEqual({
      tools: [],
      resources: [],
      templates: [],
      prompts: [],
      failed: {},
    });
  });

  it('are asked for together: a server that answers none is waited for once', async () => {
    expect((await offered(await clientOf({}, 4))).failed).toEqual({});
  });

  it.each([
    ['tools/list', 'tools', unknown],
    ['resources/list', 'resources', unknown],
    ['resources/list', 'resources', { code: ErrorCode.InternalError, message: 'Internal error' }],
    ['resources/templates/list', 'templates', { code: ErrorCode.InternalError, message: 'Internal error' }],
    ['prompts/list', 'prompts', unknown],
    ['prompts/list', 'prompts', new HttpError(500, 'Out of order')],
  ] as const)('are there but for the one that fails: %s', async (method, name, error) => {
    const { failed, ...found } = await offered(await clientOf({ [method]: error }));

    expect(Object.keys(failed)).toEqual([name]);
    expect(failed[name]).toBeInstanceOf(error instanceof Error ? HttpError : ProtocolError);
    expect(Object.keys(found)).toEqual(['tools', 'resources', 'templates', 'prompts'].filter((each) => each !== name));
  });

  it('include no templates where the server does not know of any', async () => {
    expect(await offered(await clientOf({ 'resources/templates/list': unknown }))).toMatchObject({
      templates: [],
      failed: {},
    });
  });

  it.each([401, 503])('are not there at all where the server is not: %i', async (status) => {
    const client = await clientOf({ 'prompts/list': new HttpError(status, 'No') });
    await expect(offered(client)).rejects.toMatchObject({ status });
  });
});
