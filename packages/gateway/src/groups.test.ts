import { createServer, prompt, resource, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import { groups, groupsClient, groupsOf } from '@ccmcp/core/groups';
import { afterEach, describe, expect, it } from 'vitest';
import { clientOf, closeAll, part, pinned, versions } from './fixtures/clients.ts';
import { remote } from './remote.ts';

afterEach(closeAll);

const whole = { name: 'gateway', version: '1' };

const upstream = (name: string) =>
  createServer({
    name,
    version: '1',
    instructions: `How to use ${name}`,
    tools: [tool('read', {}, () => `${name} read`), tool('write', {}, () => `${name} wrote`)],
    prompts: [prompt('reply', {}, () => 'Reply')],
    resources: [resource(`${name}://inbox`, {}, () => name)],
  });

describe.each(versions)('one group per upstream, for a client of %s', (version) => {
  it('has all of the upstream under the names of the gateway', async () => {
    const own = createServer({ name: 'own', version: '1', tools: [tool('own', {}, () => 'own')] });
    const server = compose(
      {
        mail: part(upstream('mail'), { name: 'My Mail', prefix: 'mail_', group: true, client: pinned('2025-06-18') }),
        own,
        notes: {
          server: part(upstream('notes'), { name: 'notes', group: { name: 'n', description: 'Notes' } }),
          prefix: 'n_',
        },
        flat: part(upstream('flat'), { name: 'flat', prefix: 'flat_' }),
      },
      whole,
    );
    const client = await clientOf(server, version, { extensions: [groupsClient()] });
    expect((await client.listTools().all()).map(({ name }) => name)).toEqual(['own', 'flat_read', 'flat_write']);
    expect((await client.listResources().all()).map(({ uri }) => uri)).toEqual(['flat://inbox']);
    expect(await groupsOf(client).list()).toEqual([
      { name: 'my-mail', description: 'What "My Mail" offers' },
      { name: 'n', description: 'Notes' },
    ]);
    const { instructions, contents } = await groupsOf(client).get('my-mail');
    expect(instructions).toBe('How to use mail');
    expect(contents?.tools?.map(({ name }) => name)).toEqual(['mail_read', 'mail_write']);
    expect(contents?.prompts?.map(({ name }) => name)).toEqual(['mail_reply']);
    expect(contents?.resources?.map(({ uri }) => uri)).toEqual(['mail://inbox']);
    expect((await client.callTool('n_write')).content).toEqual([{ type: 'text', text: 'notes wrote' }]);
    const plain = await clientOf(server, version);
    expect((await plain.listTools().all()).map(({ name }) => name)).toHaveLength(7);
  });

  it('has what the upstream has in groups of its own', async () => {
    const grouped = createServer({
      name: 'grouped',
      version: '1',
      tools: [tool('inner', {}, () => 'inner')],
      extensions: [groups([{ name: 'deep', description: 'Deep', tools: ['*'] }])],
    });
    const client = await clientOf(part(grouped, { name: 'grouped', group: true }), version, {
      extensions: [groupsClient()],
    });
    expect((await groupsOf(client).get('grouped')).contents?.tools).toMatchObject([{ name: 'inner' }]);
    expect(await client.listTools().all()).toEqual([]);
  });
});

it('a group of an upstream without a name that a group may have needs one', () => {
  const target = { server: upstream('x') };
  expect(() => remote({ name: '北京', target, group: true })).toThrow('its group needs a "name"');
  expect(() => remote({ name: 'x', target, group: { name: 'No' } })).toThrow('Group name "No"');
});
