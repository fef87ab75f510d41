import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  callTool,
  emptyFolder,
  handshakeVersions,
  statelessVersion,
  toolNames,
} from '../../../../test/support/ccmcp.ts';
import { type McpClient, McpClient as Client } from '../../../../test/support/mcp-client.ts';
import { memoryWire } from '../../../../test/support/wires.ts';
import { connect } from './fixtures/connect.ts';
import { storeKinds } from './fixtures/stores.ts';
import { defaultFile } from './open.ts';
import { notesServer } from './server.ts';

const tools = ['create_note', 'get_note', 'update_note', 'delete_note', 'restore_note', 'search_notes', 'list_notes'];

// oxlint-disable-next-line typescript/no-explicit-any -- results are looked into freely in tests
async function callStructured(client: McpClient, name: string, args: Record<string, unknown> = {}): Promise<any> {
  const result = await client.request('tools/call', { name, arguments: args });
  expect(result).toMatchObject({ isError: false });
  return result.structuredContent;
}

describe('the notes server', () => {
  it('opens no file before the first request for a note', async () => {
    const folder = join(emptyFolder(), 'data');
    const client = new Client(memoryWire(notesServer({ db: join(folder, 'notes.db'), logLevel: 'emergency' })), {
      version: '2025-11-25',
    });
    const { result } = await client.initialize();
    expect(result.serverInfo).toMatchObject({ name: 'notes-server' });
    expect(result.capabilities).toMatchObject({ resources: { subscribe: true, listChanged: true }, completions: {} });
    expect(await toolNames(client)).toEqual(tools);
    await client.request('prompts/list');
    await client.request('resources/templates/list');
    expect(existsSync(folder)).toBe(false);
    expect(await callTool(client, 'get_note', { id: 'note_1' })).toMatch(/^Welcome\nId: note_1\n/);
    expect(existsSync(folder)).toBe(true);
  });

  it('lists create_note as documented in the course', async () => {
    const client = await connect({ db: join(emptyFolder(), 'notes.db') });
    const { tools: listed } = await client.request('tools/list');
    expect(listed[0]).toMatchObject({
      name: 'create_note',
      description: 'Create a new note',
      inputSchema: {
        type: 'object',
        properties: {
          title: { type: 'string', description: 'Note title' },
          content: { type: 'string', description: 'Note content' },
        },
        required: ['title', 'content'],
      },
    });
  });

  it.each([...handshakeVersions, statelessVersion])('creates, finds and reads a note in %s', async (version) => {
    const client = await connect({ db: join(emptyFolder(), 'notes.db') }, { version });
    const created = { title: 'Shopping', content: 'Milk & bread', tags: ['home'] };
    expect(await callTool(client, 'create_note', created)).toBe('Created: note_3');
    expect(await callTool(client, 'search_notes', { query: 'MILK' })).toBe('note_3: Shopping\n  **Milk** & bread');
    expect(await callTool(client, 'get_note', { id: 'note_3' })).toMatch(
      /^Shopping\n.*Tags: home\n.*\n\nMilk & bread$/s,
    );
    const { contents } = await client.request('resources/read', { uri: 'notes://note_3' });
    expect(contents).toEqual([{ uri: 'notes://note_3', mimeType: 'text/plain', text: 'Milk & bread' }]);
  });

  it('uses the data folder of each system', () => {
    expect(defaultFile('linux', { XDG_DATA_HOME: '/data' })).toBe(join('/data', 'ccmcp', 'notes.db'));
    expect(defaultFile('linux', {})).toMatch(/\.local.share.ccmcp.notes\.db$/);
    expect(defaultFile('darwin', {})).toMatch(/Library.Application Support.ccmcp.notes\.db$/);
    expect(defaultFile('win32', { LOCALAPPDATA: '/local' })).toBe(join('/local', 'ccmcp', 'notes.db'));
  });

  it('reports a broken store and keeps serving other requests', async () => {
    const client = await connect({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' });
    expect(await callTool(client, 'list_notes')).toMatch(/^failed: The database with the notes can't be reached/);
    expect(await callTool(client, 'create_note', { title: 'a', content: '' })).toMatch(/try again soon$/);
    await expect(client.request('resources/list')).rejects.toMatchObject({
      code: -32603,
      message: expect.stringMatching(/can't be reached/),
    });
    expect(await client.request('ping')).toEqual({});
  });
});

describe.each(storeKinds)('the notes server with $name', ({ fresh }) => {
  it('rejects a change of an outdated version', async () => {
    const client = await connect(await fresh());
    const made = await callStructured(client, 'create_note', { title: 'a', content: 'b' });
    const changed = await callStructured(client, 'update_note', {
      id: made.id,
      content: 'c',
      expected_updated_at: made.updated_at,
    });
    expect(changed).toEqual({ ...made, updated_at: changed.updated_at });
    expect(
      await callTool(client, 'update_note', { id: made.id, title: 'x', expected_updated_at: made.updated_at }),
    ).toMatch(/^failed: note_3 was changed by someone else: its updated_at is /);
    expect(await callStructured(client, 'get_note', { id: made.id })).toMatchObject({ title: 'a', content: 'c' });
  });

  it('deletes and restores', async () => {
    const client = await connect(await fresh());
    expect(await callTool(client, 'delete_note', { id: 'note_1' })).toBe(
      'Deleted: note_1 (restore_note brings it back)',
    );
    expect(await callTool(client, 'get_note', { id: 'note_1' })).toBe(
      'failed: note_1 is in the trash; restore_note brings it back',
    );
    await expect(client.request('resources/read', { uri: 'notes://note_1' })).rejects.toMatchObject({ code: -32002 });
    expect(await callTool(client, 'restore_note', { id: 'note_1' })).toBe('Restored: note_1');
    expect(await callTool(client, 'get_note', { id: 'note_1' })).toMatch(/^Welcome/);
    expect(await callTool(client, 'delete_note', { id: 'note_7' })).toBe('failed: There is no note "note_7"');
  });

  it('lists and searches in pages', async () => {
    const client = await connect(await fresh());
    for (let n = 3; n <= 7; n += 1)
      await callTool(client, 'create_note', { title: `t${n}`, content: 'same', tags: ['x'] });
    for (const [name, args] of [
      ['list_notes', { tag: 'X' }],
      ['search_notes', { query: 'same' }],
    ] as const) {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await callStructured(client, name, { ...args, limit: 2, ...(cursor !== undefined && { cursor }) });
        ids.push(...page.notes.map(({ id }: { id: string }) => id));
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      expect(ids).toEqual(['note_7', 'note_6', 'note_5', 'note_4', 'note_3']);
      expect(await callTool(client, name, { ...args, cursor: '; drop' })).toMatch(
        /^failed: The cursor is not one of ours/,
      );
    }
  });

  it.each([
    ['create_note', { title: '', content: '' }, 'title'],
    ['create_note', { title: '  ', content: '' }, 'The title is empty'],
    ['create_note', { title: 'a', content: 'x\0y' }, 'NUL'],
    ['create_note', { title: 'a\ud800', content: '' }, 'surrogate'],
    ['create_note', { title: 'a', content: 'ä'.repeat(500_001) }, '1000002 bytes'],
    ['create_note', { title: 'a', content: '', tags: ['x\0'] }, 'NUL'],
    ['create_note', { title: 'a', content: '', colour: 'red' }, 'colour'],
    ['create_note', { title: 'a', content: '', idempotency_key: '' }, 'idempotency_key is empty'],
    ['create_note', { title: 'a', content: '', idempotency_key: 'x'.repeat(201) }, 'idempotency_key'],
    ['create_note', { title: 'a', content: '', idempotency_key: 'x\0' }, 'NUL'],
    ['update_note', { id: 'note_1', expected_updated_at: 'yesterday' }, 'no time'],
  ])('rejects %s with %j (FT-34)', async (name, args, problem) => {
    const client = await connect(await fresh());
    const received = await callTool(client, name, args);
    expect(received).toMatch(/^failed: /);
    expect(received).toContain(problem);
    expect((await callStructured(client, 'list_notes')).notes).toHaveLength(2);
  });

  it('lists each note as a resource, in pages', async () => {
    const client = await connect(await fresh());
    await callTool(client, 'create_note', { title: 'Long', content: `${'ä'.repeat(49)}🎉 and more` });
    await callTool(client, 'create_note', { title: 'Short', content: 'Milk' });
    const { resources } = await client.request('resources/list');
    expect(resources.map(({ uri }: { uri: string }) => uri)).toEqual([
      'notes://note_1',
      'notes://note_2',
      'notes://note_3',
      'notes://note_4',
    ]);
    expect(resources[3]).toMatchObject({ name: 'Short', description: 'Milk...' });
    expect(resources[2]).toMatchObject({ name: 'Long', description: `${'ä'.repeat(49)}🎉...`, mimeType: 'text/plain' });
    await expect(client.request('resources/read', { uri: 'notes://note_9' })).rejects.toMatchObject({ code: -32002 });
  });

  it('completes ids, also by words of a note (S-C-02)', async () => {
    const client = await connect(await fresh());
    const complete = async (value: string): Promise<string[]> => {
      const ref = { type: 'ref/resource', uri: 'notes://{id}' };
      return (await client.request('completion/complete', { ref, argument: { name: 'id', value } })).completion.values;
    };
    expect(await complete('')).toEqual(['note_1', 'note_2']);
    expect(await complete('note_2')).toEqual(['note_2']);
    expect(await complete('searching')).toEqual(['note_2']);
    expect(await complete('nothing like it')).toEqual([]);
  });

  it('offers prompts', async () => {
    const client = await connect(await fresh());
    const textOf = async (name: string, args: Record<string, unknown>): Promise<string> =>
      (await client.request('prompts/get', { name, arguments: args })).messages[0].content.text;
    expect(await textOf('brainstorm', { topic: 'tea' })).toBe('Generate 5 ideas about: tea');
    expect(await textOf('brainstorm', { topic: 'tea', count: '12' })).toBe('Generate 12 ideas about: tea');
    expect(await textOf('summarize_note', { note_id: 'note_1' })).toMatch(/summarize.*Title: Welcome\n\nWelcome to/s);
    expect(await textOf('meeting_notes', {})).toMatch(/create_note/);
    for (const args of [
      { topic: 'x', count: 'many' },
      { topic: 'x', count: '0' },
    ]) {
      await expect(textOf('brainstorm', args)).rejects.toMatchObject({ code: -32602 });
    }
    await expect(textOf('summarize_note', { note_id: 'note_9' })).rejects.toMatchObject({
      code: -32602,
      message: 'There is no note "note_9"',
    });
  });

  it('notifies subscribers of changes by this and other processes', async () => {
    const options = await fresh();
    const client = await connect(options);
    const other = await connect(options);
    await client.request('resources/subscribe', { uri: 'notes://note_1' });
    await client.request('resources/list');
    await callTool(client, 'update_note', { id: 'note_1', title: 'Hello' });
    const updated = 'notifications/resources/updated';
    expect((await client.readNotification(updated)).params).toEqual({ uri: 'notes://note_1' });
    await client.readNotification('notifications/resources/list_changed');
    await callTool(other, 'update_note', { id: 'note_1', content: 'from elsewhere' });
    await client.request('ping');
    expect((await client.readNotification(updated)).params).toEqual({ uri: 'notes://note_1' });
    await callTool(other, 'create_note', { title: 'new', content: '' });
    await client.request('ping');
    await client.readNotification('notifications/resources/list_changed');
  });

  it('notifies a stateless listener of changes by other processes', async () => {
    const options = await fresh();
    const client = await connect(options, { version: statelessVersion });
    const notifications = { resourcesListChanged: true, resourceSubscriptions: ['notes://note_2'] };
    client.post('subscriptions/listen', { notifications });
    await client.readNotification('notifications/subscriptions/acknowledged');
    await callTool(client, 'get_note', { id: 'note_2' });
    const other = await connect(options);
    await callTool(other, 'delete_note', { id: 'note_2' });
    expect((await client.readNotification('notifications/resources/updated')).params).toMatchObject({
      uri: 'notes://note_2',
    });
    await client.readNotification('notifications/resources/list_changed');
  });
});
