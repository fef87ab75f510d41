import { describe, expect, it } from 'vitest';
import type { Request } from '../../jsonrpc/message.ts';
import { scripted } from '../fixtures/scripted.ts';

const handshake = { era: 'handshake' } as const;
const changed = (what: string) => ({ jsonrpc: '2.0', method: `notifications/${what}/list_changed` }) as const;
const updated = (uri: string) =>
  ({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }) as const;

const serving =
  (capabilities: object) =>
  ({ method, params }: Request): object | undefined => {
    if (method === 'initialize') return { protocolVersion: params?.protocolVersion, capabilities };
    if (params?.uri === 'no:such') return { error: { code: -32002, message: 'No such resource' } };
    return {};
  };

const subscribed = (sent: readonly object[]): unknown[] =>
  (sent as Request[])
    .filter(({ method }) => method.startsWith('resources/'))
    .map(({ method, params }) => [method, params?.uri]);

describe('listening in a session', () => {
  it('filters the notifications of the session, also below a resource', async () => {
    const { client, sent, say } = await scripted(serving({}), handshake);
    const received: unknown[] = [];
    const subscription = await client.listen(
      { tools: true, uris: ['a:b'] },
      { onChange: (change) => received.push(change) },
    );
    expect(subscribed(sent)).toEqual([['resources/subscribe', 'a:b']]);
    say(changed('prompts'));
    say(changed('resources'));
    say(changed('tools'));
    say(updated('c:d'));
    say(updated('a:b/c'));
    const expected = [{ kind: 'tools' }, { kind: 'resource', uri: 'a:b/c' }];
    expect(received).toEqual(expected);
    const read = subscription[Symbol.asyncIterator]();
    expect([(await read.next()).value, (await read.next()).value]).toEqual(expected);
    await subscription.close();
    await subscription.close();
    await subscription.closed;
    say(changed('tools'));
    expect(received).toHaveLength(2);
    expect(subscribed(sent).slice(1)).toEqual([['resources/unsubscribe', 'a:b']]);
  });

  it('returns what the server honours: declared lists, and resources', async () => {
    const capabilities = { tools: { listChanged: true }, prompts: { listChanged: false }, resources: {} };
    const { client } = await scripted(serving(capabilities), handshake);
    const all = { tools: true, prompts: true, resources: true };
    expect((await client.listen(all)).honoured).toEqual({ tools: true });
    expect((await client.listen({ prompts: true, uris: ['a:b'] })).honoured).toEqual({ uris: ['a:b'] });
    expect((await client.listen({ tools: false })).honoured).toEqual({});
  });

  it('rejects if a resource can not be subscribed to, and delivers nothing', async () => {
    const { client, say } = await scripted(serving({}), handshake);
    const received: unknown[] = [];
    const failed = client.listen({ tools: true, uris: ['no:such'] }, { onChange: (change) => received.push(change) });
    await expect(failed).rejects.toMatchObject({ code: -32002 });
    say(changed('tools'));
    expect(received).toEqual([]);
  });

  it('ends with the signal of the caller, and does not start after it', async () => {
    const { client, sent } = await scripted(serving({}), handshake);
    const controller = new AbortController();
    const subscription = await client.listen({ uris: ['a:b'] }, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await subscription.closed;
    expect(subscribed(sent)).toEqual([
      ['resources/subscribe', 'a:b'],
      ['resources/unsubscribe', 'a:b'],
    ]);
    await expect(client.listen({ tools: true }, { signal: controller.signal })).rejects.toThrow('enough');
  });

  it('reports everything as changed after a lost session, until it is closed', async () => {
    const { client, lose } = await scripted(serving({}), handshake);
    const received: unknown[] = [];
    const subscription = await client.listen(
      { tools: true, uris: ['a:b'] },
      { onChange: (change) => received.push(change) },
    );
    lose();
    await client.ping();
    expect(received).toEqual([{ kind: 'tools' }, { kind: 'resource', uri: 'a:b' }]);
    await subscription.close();
    lose();
    await client.ping();
    expect(received).toHaveLength(2);
  });
});
