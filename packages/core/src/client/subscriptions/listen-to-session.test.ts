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
  it('hears what is wanted of what the server tells everyone, also below a resource', async () => {
    const { client, sent, say } = await scripted(serving({}), handshake);
    const told: unknown[] = [];
    const subscription = await client.listen(
      { tools: true, uris: ['a:b'] },
      { onChange: (change) => told.push(change) },
    );
    expect(subscribed(sent)).toEqual([['resources/subscribe', 'a:b']]);
    say(changed('prompts'));
    say(changed('resources'));
    say(changed('tools'));
    say(updated('c:d'));
    say(updated('a:b/c'));
    const expected = [{ kind: 'tools' }, { kind: 'resource', uri: 'a:b/c' }];
    expect(told).toEqual(expected);
    const read = subscription[Symbol.asyncIterator]();
    expect([(await read.next()).value, (await read.next()).value]).toEqual(expected);
    await subscription.close();
    await subscription.close();
    await subscription.closed;
    say(changed('tools'));
    expect(told).toHaveLength(2);
    expect(subscribed(sent).slice(1)).toEqual([['resources/unsubscribe', 'a:b']]);
  });

  it('says what the server will tell: lists that it announced, and resources', async () => {
    const capabilities = { tools: { listChanged: true }, prompts: { listChanged: false }, resources: {} };
    const { client } = await scripted(serving(capabilities), handshake);
    const all = { tools: true, prompts: true, resources: true };
    expect((await client.listen(all)).honoured).toEqual({ tools: true });
    expect((await client.listen({ prompts: true, uris: ['a:b'] })).honoured).toEqual({ uris: ['a:b'] });
    expect((await client.listen({ tools: false })).honoured).toEqual({});
  });

  it('fails where a resource can’t be subscribed to, and then hears nothing', async () => {
    const { client, say } = await scripted(serving({}), handshake);
    const told: unknown[] = [];
    const failed = client.listen({ tools: true, uris: ['no:such'] }, { onChange: (change) => told.push(change) });
    await expect(failed).rejects.toMatchObject({ code: -32002 });
    say(changed('tools'));
    expect(told).toEqual([]);
  });

  it('ends with the caller’s signal, and does not begin after it', async () => {
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

  it('takes everything for changed after the session was lost, until it is closed', async () => {
    const { client, lose } = await scripted(serving({}), handshake);
    const told: unknown[] = [];
    const subscription = await client.listen(
      { tools: true, uris: ['a:b'] },
      { onChange: (change) => told.push(change) },
    );
    lose();
    await client.ping();
    expect(told).toEqual([{ kind: 'tools' }, { kind: 'resource', uri: 'a:b' }]);
    await subscription.close();
    lose();
    await client.ping();
    expect(told).toHaveLength(2);
  });
});
