import { join } from 'node:path';
import type { Peer } from '@ccmcp/core';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../../../test/support/ccmcp.ts';
import { notesServer } from './server.ts';

type Params = Record<string, unknown>;

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends requests to a fresh notes server as a caller with these scopes. */
function asker(
  scopes: readonly string[] | undefined,
): (method: string, params?: Params) => Promise<object | undefined> {
  const server = notesServer({ db: join(emptyFolder(), 'notes.db'), logLevel: 'emergency', shared: true });
  const peer: Peer = {
    auth: { principal: 'ann', ...(scopes && { scopes }) },
    authPolicy: { authenticates: true, allowsAnonymous: false, scopeErrorForm: () => 'error', challenges: () => [] },
    running: new Map(),
    send: () => {},
  };
  return async (method, params = {}) =>
    server.handle({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }, peer);
}

const id = 'note_1';
const reads: [string, Params][] = [
  ['tools/call', { name: 'get_note', arguments: { id } }],
  ['tools/call', { name: 'search_notes', arguments: { query: 'welcome' } }],
  ['tools/call', { name: 'list_notes' }],
  ['resources/read', { uri: `notes://${id}` }],
  ['prompts/get', { name: 'summarize_note', arguments: { note_id: id } }],
  ['completion/complete', { ref: { type: 'ref/resource', uri: 'notes://{id}' }, argument: { name: 'id', value: '' } }],
];
const writes: [string, Params][] = [
  ['tools/call', { name: 'create_note', arguments: { title: 'a', content: 'b' } }],
  ['tools/call', { name: 'update_note', arguments: { id, title: 'a' } }],
  ['tools/call', { name: 'delete_note', arguments: { id } }],
  ['tools/call', { name: 'restore_note', arguments: { id } }],
];

describe('the scopes of notes', () => {
  it.each([
    ['notes:read', reads, writes, 'notes:write'],
    ['notes:write', writes, reads, 'notes:read'],
  ] as const)('let those with %s do that, and nothing else', async (scope, may, mayNot, missing) => {
    const ask = asker([scope]);
    for (const [method, params] of may) expect(await ask(method, params)).toHaveProperty('result');
    for (const [method, params] of mayNot) {
      expect(await ask(method, params)).toMatchObject({ error: { data: { requiredScopes: [missing] } } });
    }
  });

  it('show titles to callers with the scope to read', async () => {
    expect(await asker(['notes:write'])('resources/list')).toMatchObject({ result: { resources: [] } });
    expect(await asker(['notes:read'])('resources/list')).toHaveProperty('result.resources.0.uri', 'notes://note_1');
  });

  it('do not limit callers without scopes', async () => {
    const ask = asker(undefined);
    for (const [method, params] of [...reads, ...writes]) expect(await ask(method, params)).toHaveProperty('result');
  });
});
