import { describe, expect, it } from 'vitest';
import { createServer } from '../../create-server.ts';
import { tool } from '../../server/define/define.ts';
import { memoryTransport } from '../../transports/memory.ts';
import { connect } from '../connect.ts';
import type { ConnectOptions } from '../connect-options.ts';
import type { Client } from '../client.ts';
import type { ClientObserver, ObservedSending, SendingEnd } from '../observer.ts';

const empty = { input: { type: 'object' } } as const;

function open(observers: ClientObserver[], options: ConnectOptions = {}): Promise<Client> {
  const server = createServer({
    name: 's',
    version: '1',
    tools: [
      tool('add', empty, () => 'sum'),
      tool('tenant', empty, (_args, { meta }) => JSON.stringify(meta)),
      tool('hang', empty, () => new Promise(() => {})),
    ],
  });
  return connect(memoryTransport(server), { observers, ...options });
}

describe('an observer of a client', () => {
  it('sees every request from the first one, with its outcome', async () => {
    const begun: ObservedSending[] = [];
    const ended: SendingEnd[] = [];
    const observer: ClientObserver = {
      begin(request) {
        begun.push(request);
        return { end: (end) => void ended.push(end) };
      },
    };
    const client = await open([observer], { version: '2025-11-25' });
    await client.callTool('add');
    await expect(client.request('no/such')).rejects.toThrow('Method not found');

    expect(begun.map(({ method, id, revision, transport }) => [method, id, revision, transport])).toEqual([
      ['initialize', 1, undefined, 'memory'],
      ['tools/call', 2, '2025-11-25', 'memory'],
      ['no/such', 3, '2025-11-25', 'memory'],
    ]);
    expect(ended).toMatchObject([
      { outcome: 'ok', revision: '2025-11-25' },
      { outcome: 'ok', durationMs: expect.any(Number), result: { content: [{ text: 'sum' }] } },
      { outcome: 'error', error: { code: -32601 } },
    ]);
    await client.close();
  });

  it('is notified once of requests that end with the connection, and of its end', async () => {
    const ended: SendingEnd[] = [];
    const closed: unknown[] = [];
    const client = await open([
      { begin: () => ({ end: (end) => void ended.push(end) }), closed: ({ error }) => void closed.push(error) },
    ]);
    const hanging = client.callTool('hang');
    await Promise.all([expect(hanging).rejects.toThrow('closed'), client.close()]);
    await client.close();

    expect(ended.at(-1)).toMatchObject({ outcome: 'lost', reason: { name: 'ConnectionError' } });
    expect(closed).toEqual([undefined]);
  });

  it('adds to _meta without overriding it', async () => {
    const adds = (meta: Record<string, unknown>): ClientObserver => ({ begin: () => ({ meta, end() {} }) });
    const client = await open([adds({ 'com.example/a': 1, 'com.example/b': 1 }), adds({ 'com.example/b': 2 })]);
    const { content } = await client.callTool('tenant', {}, { meta: { 'com.example/a': 'own' } });

    expect(JSON.parse((content[0] as { text: string }).text)).toMatchObject({
      'com.example/a': 'own',
      'com.example/b': 2,
    });
    await client.close();
  });

  it('that throws causes a warning, and the request continues', async () => {
    const warnings: string[] = [];
    const fail = (): never => {
      throw new Error('broken');
    };
    const client = await open(
      [{ begin: fail }, { begin: () => ({ around: fail, resume: fail, end: fail }), closed: fail }],
      { onWarning: (text) => void warnings.push(text), version: '2026-07-28' },
    );
    await client.callTool('add');
    await client.close();

    expect(new Set(warnings)).toEqual(new Set(['An observer failed: broken']));
  });
});
