import { apiKey, serveHttp } from '@ccmcp/core/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callTool, statelessVersion } from '../../../../test/support/ccmcp.ts';
import type { McpClient } from '../../../../test/support/mcp-client.ts';
import { connect, serve, serverOf } from './fixtures/connect.ts';
import { open, storeKinds } from './fixtures/stores.ts';
import { ownerOf, principalOf } from './access.ts';

const draft = { title: 'Secret plan', content: 'the treasure lies under the oak', tags: ['treasure'] };
const updated = 'notifications/resources/updated';
const changed = 'notifications/resources/list_changed';

/** All responses that a client can get from notes, as text, to search them for leaks. */
async function everything(client: McpClient, id: string): Promise<string[]> {
  const texts: string[] = [];
  const ask = async (method: string, params: Record<string, unknown>): Promise<void> => {
    const { result, error } = await client.sendRequest(method, params);
    texts.push(JSON.stringify(result ?? error));
  };
  for (const name of ['get_note', 'update_note', 'delete_note', 'restore_note']) {
    await ask('tools/call', { name, arguments: { id } });
  }
  await ask('tools/call', { name: 'update_note', arguments: { id, expected_updated_at: '2020-01-01T00:00:00Z' } });
  for (const query of ['treasure', 'secret', 'oak', '"under the oak"']) {
    await ask('tools/call', { name: 'search_notes', arguments: { query } });
  }
  await ask('tools/call', { name: 'list_notes', arguments: {} });
  await ask('tools/call', { name: 'list_notes', arguments: { tag: 'treasure' } });
  await ask('tools/call', { name: 'list_notes', arguments: { cursor: 'note_999' } });
  await ask('resources/list', {});
  await ask('resources/read', { uri: `notes://${id}` });
  await ask('prompts/get', { name: 'summarize_note', arguments: { note_id: id } });
  for (const value of ['', id, 'treasure', 'secret']) {
    const ref = { type: 'ref/resource', uri: 'notes://{id}' };
    await ask('completion/complete', { ref, argument: { name: 'id', value } });
    const prompt = { type: 'ref/prompt', name: 'summarize_note' };
    await ask('completion/complete', { ref: prompt, argument: { name: 'note_id', value } });
  }
  if (!client.stateless) await ask('resources/subscribe', { uri: `notes://${id}` });
  return texts;
}

/** The responses for a note that does not exist, with the requested id. */
async function saidOfNone(client: McpClient, id: string): Promise<string[]> {
  const none = 'note_777777';
  return (await everything(client, none)).map((text) => text.replaceAll(none, id));
}

describe.each(storeKinds)('notes of different owners in $name', ({ fresh }) => {
  it.each(['2025-11-25', statelessVersion])(
    'are not there for others, in any method or error (FT-33), with revision %s',
    async (version) => {
      const meet = serve(await fresh());
      const ann = await meet({ version, principal: 'ann' });
      const { structuredContent: made } = await ann.request('tools/call', { name: 'create_note', arguments: draft });
      for (const principal of ['bob', 'ANN', 'ann ', '', undefined]) {
        const other = await meet({ version, ...(principal !== undefined && { principal }) });
        const texts = await everything(other, made.id);
        expect(texts).toEqual(await saidOfNone(other, made.id));
        for (const text of texts) expect(text).not.toMatch(/treasure|secret|oak/i);
      }
      expect(await callTool(ann, 'get_note', { id: made.id })).toContain(draft.content);
      await callTool(ann, 'delete_note', { id: made.id });
      const bob = await meet({ version, principal: 'bob' });
      expect(await everything(bob, made.id)).toEqual(await saidOfNone(bob, made.id));
      expect(await callTool(ann, 'restore_note', { id: made.id })).toBe(`Restored: ${made.id}`);
    },
  );

  it('are complete for their owner in every operation', async () => {
    const meet = serve(await fresh());
    const ann = await meet({ principal: 'ann' });
    expect(await callTool(ann, 'list_notes')).toBe('No notes');
    await callTool(ann, 'create_note', draft);
    expect(
      (await everything(ann, 'note_3')).filter((text) => /secret|treasure|oak/i.test(text)).length,
    ).toBeGreaterThan(5);
    expect(await callTool(await meet({ principal: 'ann' }), 'list_notes')).toBe('note_3: Secret plan #treasure');
    expect(await callTool(await meet(), 'list_notes')).toMatch(/^note_2.*\nnote_1/);
  });

  it.each(['2025-11-25', statelessVersion])('notify their owner only (FT-33), with revision %s', async (version) => {
    const meet = serve(await fresh());
    const ann = await meet({ version, principal: 'ann' });
    await callTool(ann, 'create_note', draft);
    const others = [await meet({ version, principal: 'bob' }), await meet({ version })];
    const uri = 'notes://note_3';
    for (const client of [ann, ...others]) {
      if (client.stateless) {
        client.post('subscriptions/listen', {
          notifications: { resourcesListChanged: true, resourceSubscriptions: [uri] },
        });
        await client.readNotification('notifications/subscriptions/acknowledged');
      } else {
        await client.sendRequest('resources/subscribe', { uri });
      }
    }
    await callTool(ann, 'update_note', { id: 'note_3', title: 'Other plan' });
    await ann.readNotification(updated);
    await ann.readNotification(changed);
    for (const client of others) {
      await client.sendRequest('tools/list');
      expect([...client.notifications(updated), ...client.notifications(changed)]).toEqual([]);
      await callTool(client, 'create_note', { title: 'mine', content: '' });
      await client.readNotification(changed);
    }
  });

  it('are announced across processes to their owner only (FT-33)', async () => {
    const options = await fresh();
    const meet = serve(options);
    const ann = await meet({ principal: 'ann' });
    const bob = await meet({ principal: 'bob' });
    await callTool(ann, 'create_note', draft);
    await ann.readNotification(changed);
    await ann.request('resources/subscribe', { uri: 'notes://note_3' });
    const elsewhere = await connect(options, { principal: 'ann' });
    await callTool(elsewhere, 'update_note', { id: 'note_3', title: 'Other plan' });
    await ann.request('tools/list');
    expect((await ann.readNotification(updated)).params).toEqual({ uri: 'notes://note_3' });
    await ann.readNotification(changed);
    await bob.request('tools/list');
    expect([...bob.notifications(updated), ...bob.notifications(changed)]).toEqual([]);
  });

  it('are shared if configured so', async () => {
    const options = await fresh();
    const meet = serve(options, { shared: true });
    const [ann, bob] = [await meet({ principal: 'ann' }), await meet({ principal: 'bob' })];
    await bob.request('resources/subscribe', { uri: 'notes://note_3' });
    await callTool(ann, 'create_note', draft);
    await bob.readNotification(updated);
    expect(await callTool(bob, 'get_note', { id: 'note_3' })).toContain(draft.content);
    expect(await callTool(await connect(options), 'get_note', { id: 'note_3' })).toContain(draft.content);
  });

  it('are exported and imported per owner', async () => {
    const notes = await open(await fresh());
    const [ann, bob] = [notes.ownedBy('ann'), notes.ownedBy('bob')];
    const made = await ann.create(draft);
    expect((await notes.after(undefined, 9)).map(({ id }) => id)).toEqual(['note_1', 'note_2']);
    expect(await ann.after(undefined, 9)).toEqual([made]);
    expect(await bob.after(undefined, 9)).toEqual([]);
    expect(await bob.add([made])).toBe(1);
    expect(await bob.add([made])).toBe(0);
    expect(await ann.add([made])).toBe(0);
  });

  it('have owner names with any characters, up to a length', async () => {
    const options = await fresh();
    const names = ['json:"x"', 'x', "x' or 1=1 --", 'ünï\0', '\ud800', '*', '%', 'x'.repeat(500)];
    for (const principal of names) {
      const client = await connect(options, { principal });
      expect(await callTool(client, 'create_note', { title: 'mine', content: '', tags: ['t'] })).toMatch(/^Created/);
      expect((await callTool(client, 'list_notes', { tag: 't' })).split('\n')).toHaveLength(1);
    }
    const client = await connect(options, { principal: 'x'.repeat(501) });
    expect(await callTool(client, 'list_notes')).toMatch(/^failed: The name you are known by has more than 500/);
  });
});

describe('an owner', () => {
  it.each([undefined, 'ann', '', 'json:"x"', 'ünï\0\ud800', 'auth0|user@example.com'])(
    'round-trips the principal %j',
    (principal) => {
      const owner = ownerOf(principal);
      expect(owner === '').toBe(principal === undefined);
      expect(owner).toMatch(/^[^\0\ud800]*$/);
      expect(principalOf(owner)).toBe(principal);
    },
  );
});

describe('the notes server over HTTP', () => {
  it.each(storeKinds)('separates owners by API key, in $name (FT-33)', async ({ fresh }) => {
    const service = await serveHttp(serverOf(await fresh()), {
      port: 0,
      auth: apiKey({ keys: ['key-of-ann', 'key-of-bob'] }),
    });
    onTestFinished(() => service.close({ graceMs: 0 }));
    const call = async (key: string, name: string, args: object): Promise<string> => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const headers = {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'X-Api-Key': key,
      };
      const response = await fetch(service.url, { method: 'POST', headers, body: JSON.stringify(body) });
      const { result } = (await response.json()) as { result: { content: { text: string }[] } };
      return result.content[0]?.text ?? '';
    };
    expect(await call('key-of-ann', 'create_note', draft)).toBe('Created: note_3');
    expect(await call('key-of-ann', 'search_notes', { query: 'oak' })).toMatch(/^note_3/);
    expect(await call('key-of-bob', 'search_notes', { query: 'oak' })).toBe('No note was found');
    expect(await call('key-of-bob', 'delete_note', { id: 'note_3' })).toBe('There is no note "note_3"');
    expect(await call('key-of-ann', 'get_note', { id: 'note_3' })).toContain(draft.content);
  });
});
