import { createServer } from '../create-server.ts';
import { tool } from './define/define.ts';
import type { Server } from './server.ts';
import { testClient } from '../testing/client.ts';
import { expectText } from '../testing/expect.ts';
import { describe, expect, it } from 'vitest';
import { connectDirect } from './fixtures/direct-client.ts';
import { replaceable } from './replaceable.ts';

function version(number: number, ...more: ReturnType<typeof tool>[]): Server {
  const which = tool('which', {}, () => `version ${number}`);
  return createServer({ name: 'replaced', version: `${number}.0.0`, tools: [which, ...more] });
}

describe.each(['2025-11-25', '2026-07-28'])('a server that is replaced under its clients, in %s', (revision) => {
  it('answers as the latest, and says that the lists have changed', async () => {
    const { server, replace } = replaceable(version(1));
    const client = await testClient(server, { version: revision });
    const subscription = await client.listen({ tools: true });
    expect(expectText(await client.callTool('which'))).toBe('version 1');

    replace(
      version(
        2,
        tool('new', {}, () => 'new'),
      ),
    );
    for await (const change of subscription) {
      expect(change).toEqual({ kind: 'tools' });
      break;
    }

    expect(expectText(await client.callTool('which'))).toBe('version 2');
    expect((await client.listTools().all()).map(({ name }) => name)).toEqual(['which', 'new']);
  });

  it('finishes running requests on the old server', async () => {
    let finish: () => void = () => {};
    let begin: () => void = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const slow = tool('slow', {}, async () => {
      const held = new Promise<void>((resolve) => {
        finish = resolve;
      });
      begin();
      await held;
      return 'the old one';
    });
    const { server, replace } = replaceable(version(1, slow));
    const client = await testClient(server, { version: revision });
    const running = client.callTool('slow');
    await begun;

    replace(version(2));
    expect(expectText(await client.callTool('which'))).toBe('version 2');
    finish();

    expect(expectText(await running)).toBe('the old one');
  });

  it('notifies of changes of the new server', async () => {
    const { server, replace } = replaceable(version(1));
    const client = await testClient(server, { version: revision });
    const subscription = await client.listen({ tools: true });
    const changes = subscription[Symbol.asyncIterator]();
    const latest = version(3);
    replace(version(2));
    await changes.next();
    replace(latest);
    await changes.next();

    latest.tools.add(tool('later', {}, () => ''));
    expect((await changes.next()).value).toEqual({ kind: 'tools' });
  });

  it('continues a call that waits for the user', async () => {
    const ask = (greeting: string): ReturnType<typeof tool> =>
      tool('ask', {}, async (_, { elicit }) => {
        const schema = { type: 'object', properties: { name: { type: 'string' } } } as const;
        const answer = await elicit({ message: 'Who?', schema });
        return answer.action === 'accept' ? `${greeting}, ${answer.content.name}` : 'nobody';
      });
    const { server, replace } = replaceable(version(1, ask('Hello')));
    const client = await testClient(server, {
      version: revision,
      elicit: () => {
        replace(version(2, ask('Welcome')));
        return { action: 'accept', content: { name: 'Ada' } };
      },
    });

    expect(expectText(await client.callTool('ask'))).toMatch(/^(Hello|Welcome), Ada$/);
  });
});

it('replacing a server notifies only of lists that the old or the new one has', async () => {
  const { server, replace } = replaceable(createServer({ name: 'r', version: '1', tools: [] }));
  const { received } = connectDirect(server, { version: '2025-11-25' });
  const notified = async (next: Server): Promise<unknown[]> => {
    replace(next);
    await Promise.resolve();
    return received.splice(0).map((message) => 'method' in message && message.method);
  };
  expect(await notified(createServer({ name: 'r', version: '2', prompts: [] }))).toEqual([
    'notifications/tools/list_changed',
    'notifications/prompts/list_changed',
  ]);
  expect(await notified(createServer({ name: 'r', version: '3', prompts: [] }))).toEqual([
    'notifications/prompts/list_changed',
  ]);
  expect(server.info.version).toBe('3');
});
