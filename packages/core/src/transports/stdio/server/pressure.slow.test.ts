import { describe, expect, it } from 'vitest';
import { call, initialize, request, textOf } from '../fixtures/messages.ts';
import { startServer } from '../fixtures/spawn.ts';

const MB = 1024 * 1024;
const BOUND = 96 * MB;

/** Starts a server and measures the growth of its memory. */
async function startMeasured({ reads }: { reads: boolean }) {
  const server = startServer({ reads });
  let signals = 0;

  async function memory(): Promise<number> {
    server.child.kill('SIGUSR2');
    const errors = await server.error(`{"signals":${++signals},`);
    return JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '').memory;
  }

  server.send(...initialize(), call('ready', 'print', { text: 'ready' }));
  await server.error('write ready');
  const base = await memory();

  /** Each signal takes a turn of the event loop: a server without limits would read all input by then. */
  async function growth(): Promise<number> {
    let most = base;
    for (let turn = 0; turn < 50; turn++) most = Math.max(most, await memory());
    return most - base;
  }
  return { ...server, growth };
}

describe('a client that does not read', () => {
  it.each(['big', 'big-later', 'big-after-work'])('leaves 200 answers of 1 MB unread: %s (SF-19)', async (name) => {
    const { send, growth, read, answer } = await startMeasured({ reads: false });
    send(...Array.from({ length: 200 }, (_, id) => call(id, name, { size: MB })));
    expect(await growth()).toBeLessThan(BOUND);
    read();
    for (let id = 0; id < 200; id++) expect(textOf(await answer(id))).toHaveLength(MB);
  });

  it('does not get every line of a long log (SF-19)', async () => {
    const { send, growth, read, answer, received } = await startMeasured({ reads: false });
    const params = { name: 'report', arguments: { size: 500_000 }, _meta: { progressToken: 1 } };
    send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(await growth()).toBeLessThan(BOUND);
    read();
    expect(textOf(await answer(1))).toBe('reported');
    expect(received.length).toBeGreaterThan(1000);
  });

  it('gets one notification for many changes of one resource (SF-19)', async () => {
    const { send, growth, read, answer, received } = await startMeasured({ reads: false });
    const uri = `test://${'x'.repeat(1000)}/`;
    const resourceSubscriptions = Array.from({ length: 10 }, (_, i) => `${uri}${i}`);
    send(request('listen', 'subscriptions/listen', { notifications: { resourceSubscriptions } }));
    send(call(1, 'change', { uri, times: 150_000 }));
    expect(await growth()).toBeLessThan(BOUND);
    read();
    expect(textOf(await answer(1))).toBe('changed');
    const updated = received.filter(({ method }) => method === 'notifications/resources/updated');
    expect(new Set(updated.map(({ params }) => (params as { uri: string }).uri)).size).toBe(10);
    expect(updated.length).toBeLessThan(10_000);
  });
});

describe('a client that never ends its line', () => {
  it('fills no memory, gets one error, and is served afterwards (SF-12, SF-13)', async () => {
    const { write, send, growth, answer, received } = await startMeasured({ reads: true });
    const part = Buffer.alloc(MB, 'x');
    for (let i = 0; i < 128; i++) write(part);
    write('\n');
    send(call(1, 'echo', { text: 'served' }));
    expect(textOf(await answer(1))).toBe('served');
    expect(received.filter(({ id }) => id === null)).toHaveLength(1);
    expect(await growth()).toBeLessThan(BOUND);
  });
});
