import { describe, expect, it } from 'vitest';
import {
  answerOf,
  handshake,
  statelessClient,
  type TestClient,
  textOf,
} from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import { readEvents } from '../../packages/core/src/transports/http/server/fixtures/events.ts';
import { start } from '../../packages/core/src/transports/http/server/fixtures/start.ts';

const meta = { progressToken: 'same', 'io.modelcontextprotocol/logLevel': 'info' };

/** Makes several requests at once, with the ids that all clients use, and returns all that it received. */
async function talk(client: TestClient, name: string, open: (gate: string) => void): Promise<unknown[]> {
  const plain = client.call('later', { text: name }, { id: 1 });
  const said = client.sendCall('say', { text: name }, { id: 2, meta }).then((response) => readEvents(response).rest());
  open(name);
  const steps = client
    .sendCall('steps', { gate: name }, { id: 3, meta: { progressToken: name } })
    .then((response) => readEvents(response).rest());
  return [
    textOf(await plain),
    ...(await said).map(({ params }) => params?.data),
    ...(await steps).map(({ params }) => params?.progressToken),
  ];
}

describe('many clients with the same request ids', () => {
  it('get only their own messages, in both eras at once (SS-05, JR-40)', async () => {
    const { url, gates } = await start();
    const sessions = await Promise.all(Array.from({ length: 50 }, () => handshake(url)));
    const clients: TestClient[] = [...sessions, ...Array.from({ length: 50 }, () => statelessClient(url))];
    for (let round = 0; round < 2; round++) {
      const names = clients.map((_, each) => `client ${each}, round ${round}`);
      const received = await Promise.all(
        clients.map((client, each) => talk(client, names[each] as string, gates.open)),
      );
      expect(received).toEqual(names.map((name) => [name, name, undefined, name, name, name, undefined]));
    }
  });

  it('get and answer only their own questions', async () => {
    const { url } = await start();
    const sessions = await Promise.all(
      Array.from({ length: 20 }, () => handshake(url, { capabilities: { elicitation: {} } })),
    );
    const calls = sessions.map(async (session, each) => {
      const events = readEvents(await session.sendCall('ask', {}, { id: 1 }));
      const question = await events.message();
      const result = { action: 'accept', content: { name: `${each}` } };
      await session.post({ jsonrpc: '2.0', id: question?.id, result });
      return textOf((await events.rest())[0] ?? {});
    });
    expect(await Promise.all(calls)).toEqual(sessions.map((_, each) => `Hello, ${each}`));
  });

  it('cancel only their own requests', async () => {
    const { url, gates } = await start();
    const [ann, bob] = await Promise.all([handshake(url), handshake(url)]);
    const calls = [ann.sendCall('wait', { gate: 'a' }, { id: 1 }), bob.sendCall('wait', { gate: 'b' }, { id: 1 })];
    await Promise.all([gates.reached('a'), gates.reached('b')]);
    await ann.notify('notifications/cancelled', { requestId: 1 });
    await gates.aborted('a');
    gates.open('b');
    const [, second] = await Promise.all(calls);
    expect(textOf(await answerOf(second as Response))).toBe('passed b');
  });
});
