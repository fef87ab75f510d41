import {
  createServer,
  embeddedResource,
  prompt,
  resource,
  resourceLink,
  type Server,
  template,
  tool,
} from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import { apps, appsClient, appView } from '@ccmcp/core/apps';
import type { Client } from '@ccmcp/core/client';
import { afterEach, describe, expect, it } from 'vitest';
import { clientOf, closeAll, part, pinned, versions } from '../fixtures/clients.ts';

afterEach(closeAll);

const whole = { name: 'gateway', version: '1' };

/** A server with a view and resources whose URIs another one has too. */
function sameAsOthers(name: string): Server {
  return createServer({
    name,
    version: '1',
    extensions: [apps()],
    tools: [
      tool('show', { ui: appView('ui://app/main', { html: `<!doctype html><p>${name}</p>` }) }, () => name),
      tool('refresh', { visibility: ['app'] }, () => name),
      tool('link', {}, () => ({
        content: [
          resourceLink({ uri: 'memo://one', name: 'one' }),
          embeddedResource({ uri: 'memo://one', mimeType: 'text/plain', text: name }),
        ],
      })),
    ],
    resources: [resource('memo://one', { name: 'one', mimeType: 'text/plain' }, () => `one of ${name}`)],
    templates: [
      template('note://{id}', { name: 'note', complete: { id: [name] } }, ({ id }) => `note ${String(id)} of ${name}`),
    ],
    prompts: [
      prompt('see', {}, () => [{ role: 'user', content: embeddedResource({ uri: 'memo://one', text: name }) }]),
    ],
  });
}

const options = (name: string, behind: string) => ({
  name,
  prefix: `${name}_`,
  uriPrefix: `${name}+`,
  client: pinned(behind),
});

const textAt = async (client: Client, uri: string): Promise<unknown> => {
  const { contents } = await client.request('resources/read', { uri });
  return contents;
};

const cells = versions.flatMap((front) => versions.map((behind) => [front, behind] as const));

describe.each(cells)('for a client of %s, the URIs of upstreams on %s', (front, behind) => {
  const gateway = async (): Promise<Client> => {
    const a = part(sameAsOthers('a'), options('a', behind));
    const b = part(sameAsOthers('b'), options('b', behind));
    return clientOf(compose({ a, b }, whole), front, { extensions: [appsClient] });
  };

  it('are distinguished by upstream', async () => {
    const client = await gateway();
    expect((await client.listResources().all()).map(({ uri }) => uri).sort()).toEqual([
      'a+memo://one',
      'b+memo://one',
      'ui://a/app/main',
      'ui://b/app/main',
    ]);
    expect((await client.listResourceTemplates().all()).map(({ uriTemplate }) => uriTemplate).sort()).toEqual([
      'a+note://{id}',
      'b+note://{id}',
    ]);
    for (const name of ['a', 'b']) {
      expect(await textAt(client, `${name}+memo://one`)).toMatchObject([
        { uri: `${name}+memo://one`, text: `one of ${name}` },
      ]);
      expect(await textAt(client, `${name}+note://x`)).toMatchObject([
        { uri: `${name}+note://x`, text: `note x of ${name}` },
      ]);
      expect(await textAt(client, `ui://${name}/app/main`)).toMatchObject([
        { uri: `ui://${name}/app/main`, text: expect.stringContaining(`<p>${name}</p>`) },
      ]);
    }
  });

  it('lead from tools to their views', async () => {
    const client = await gateway();
    const tools = await client.listTools().all();
    for (const name of ['a', 'b']) {
      expect(tools.find((each) => each.name === `${name}_show`)?._meta).toMatchObject({
        ui: { resourceUri: `ui://${name}/app/main` },
        'ui/resourceUri': `ui://${name}/app/main`,
      });
    }
  });

  it('are the same in results, prompts and errors', async () => {
    const client = await gateway();
    const { content } = await client.callTool('b_link');
    expect(JSON.stringify(content)).not.toContain('"memo://one"');
    expect(content).toContainEqual(
      expect.objectContaining({ type: 'resource', resource: expect.objectContaining({ uri: 'b+memo://one' }) }),
    );
    const { messages } = await client.request('prompts/get', { name: 'b_see' });
    expect(messages).toMatchObject([{ content: { resource: { uri: 'b+memo://one' } } }]);
    const ref = { type: 'ref/resource', uri: 'b+note://{id}' };
    const { completion } = await client.request('completion/complete', { ref, argument: { name: 'id', value: '' } });
    expect(completion).toMatchObject({ values: ['b'] });
  });
});

const listsFirst = [true, false];
const subscribers = versions.flatMap((front) => listsFirst.map((lists) => ({ front, lists })));

it.each(subscribers)(
  'are announced to a subscriber (%o), also before the lists are known',
  async ({ front, lists }) => {
    const servers = [sameAsOthers('a'), sameAsOthers('b')] as const;
    const a = part(servers[0], options('a', '2025-11-25'));
    const b = part(servers[1], options('b', '2025-11-25'));
    const client = await clientOf(compose({ a, b }, whole), front);
    if (lists) await client.listResources().all();
    const changed = new Promise<unknown>((resolve, reject) => {
      client.listen({ uris: ['b+memo://one'] }, { onChange: resolve }).catch(reject);
    });
    while (!Array.from(servers[1].resources.subscribedUris()).includes('memo://one')) {
      await new Promise<void>((resolve) => {
        const stop = servers[1].resources.onSubscribe(() => {
          stop();
          resolve();
        });
      });
    }
    servers[1].resources.updated('memo://one');
    expect(await changed).toMatchObject({ uri: 'b+memo://one' });
    expect(Array.from(servers[0].resources.subscribedUris())).toEqual([]);
  },
);

it('stay the same when another upstream is added', async () => {
  const rows = async (names: readonly string[]): Promise<string[]> => {
    const parts = Object.fromEntries(
      names.map((name) => [name, part(sameAsOthers(name), options(name, '2026-07-28'))]),
    );
    const client = await clientOf(compose(parts, whole), '2026-07-28', { extensions: [appsClient] });
    const [resources, tools] = [await client.listResources().all(), await client.listTools().all()];
    return [...resources.map(({ uri }) => uri), ...tools.map((each) => JSON.stringify(each))];
  };
  expect(await rows(['z', 'b', 'a'])).toEqual(expect.arrayContaining(await rows(['b'])));
});

it('lists tools for views only to clients that support views', async () => {
  const up = part(sameAsOthers('a'));
  const names = async (client: Client): Promise<string[]> => (await client.listTools().all()).map(({ name }) => name);
  expect(await names(await clientOf(up, '2026-07-28', { extensions: [appsClient] }))).toContain('refresh');
  expect(await names(await clientOf(up, '2026-07-28'))).not.toContain('refresh');
});

it('rejects an invalid prefix', () => {
  expect(() => part(sameAsOthers('a'), { uriPrefix: 'a b' })).toThrow('"uriPrefix" must be letters');
});
