import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Client,
  connect,
  type ConnectOptions,
  httpTransport,
  memoryTransport,
  type Message,
  tapTransport,
  spawn,
  type Transport,
} from '@ccmcp/core/client';
import { serveHttp } from '@ccmcp/core/http';
import { TaskGoneError, tasksClient, tasksOf } from '@ccmcp/core/tasks';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { studio } from './fixtures/studio.ts';

const folder = mkdtempSync(join(tmpdir(), 'ccmcp-tasks-'));
const program = join(folder, 'studio.mjs');
beforeAll(() => {
  buildSync({
    entryPoints: [fileURLToPath(new URL('./fixtures/studio-program.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['ccmcp-source'],
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

/** Each returns transports to one server, which may be lost repeatedly. */
const servers: Record<string, (pollMs: number) => Promise<() => Transport>> = {
  async memory(pollMs) {
    const server = studio(pollMs);
    return () => memoryTransport(server);
  },
  async stdio(pollMs) {
    return () => spawn(process.execPath, [program, String(pollMs)]);
  },
  async http(pollMs) {
    const service = await serveHttp(studio(pollMs), { port: 0 });
    onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
    return () => httpTransport(service.url);
  },
};

async function connectClient(transport: Transport, options: ConnectOptions = {}) {
  const said: [string, Message][] = [];
  const seen = tapTransport(transport, (sender, message) => said.push([sender, message]));
  const client = await connect(seen, { extensions: [tasksClient()], ...options });
  onTestFinished(() => client.close());
  const methods = (of: string): string[] =>
    said.flatMap(([sender, message]) => (sender === of && 'method' in message ? [message.method] : []));
  return { client, methods, said };
}

async function text(result: ReturnType<Client['callTool']>): Promise<unknown> {
  const { content } = await result;
  return (content[0] as { text?: unknown }).text;
}

describe.each(Object.keys(servers))('tasks of a server on %s', (kind) => {
  const open = (pollMs: number): Promise<() => Transport> => servers[kind]?.(pollMs) ?? Promise.reject(new Error(kind));

  it('are awaited by callTool, with messages and questions (TC-01, TC-03, TC-06)', async () => {
    const asked: string[] = [];
    const { client } = await connectClient((await open(50))(), {
      elicit: ({ message }) => {
        asked.push(message);
        return { action: 'accept', content: { sure: true } };
      },
    });
    expect(await text(client.callTool('erase'))).toBe('erased');
    expect(asked).toEqual(['Sure?']);
    const received: unknown[] = [];
    const onProgress = ({ message }: { message?: string }): void => {
      received.push(message);
      void client.callTool('finish', { picture: 'a' });
    };
    expect(await text(client.callTool('render', { picture: 'a' }, { onProgress }))).toBe('rendered a');
    expect(received.join()).toContain('sketched a');
  });

  it('are cancelled with the call, and only by tasks/cancel (TC-04)', async () => {
    const { client, methods, said } = await connectClient((await open(50))());
    const cancellation = new AbortController();
    const onProgress = (): void => cancellation.abort(new Error('enough'));
    const called = client.callTool('render', { picture: 'b' }, { signal: cancellation.signal, onProgress });
    await expect(called).rejects.toThrow('enough');
    await vi.waitFor(async () => expect(await text(client.callTool('stopped', { picture: 'b' }))).toBe('true'), 10_000);
    expect(methods('client')).toContain('tasks/cancel');
    // A subscription that was opened meanwhile is cancelled, the call never is.
    const messages = said.map(([, message]) => message);
    const call = messages.find((message) => 'method' in message && message.method === 'tools/call');
    const cancelled = messages.filter((message) => 'method' in message && message.method === 'notifications/cancelled');
    expect(call).toHaveProperty('id');
    expect(cancelled).not.toContainEqual(
      expect.objectContaining({ params: expect.objectContaining({ requestId: (call as { id: unknown }).id }) }),
    );
  });

  it('are subscribed to if they take long, and end when the server says so (TC-02)', async () => {
    const { client, methods, said } = await connectClient((await open(60_000))());
    const called = text(client.callTool('render', { picture: 'c' }));
    await vi.waitFor(() => expect(methods('server')).toContain('notifications/tasks'), 10_000);
    await client.callTool('finish', { picture: 'c' });
    expect(await called).toBe('rendered c');
    const last = said.findLast(([, message]) => 'method' in message && message.method === 'notifications/tasks');
    expect(last?.[1]).toMatchObject({ params: { status: 'completed' } });
  });

  it('fail if the server does not know them (TC-06)', async () => {
    const { client } = await connectClient((await open(50))());
    await expect(tasksOf(client).resume('no-such-task')).rejects.toThrow(TaskGoneError);
  });
});

describe('a task that outlives its client', () => {
  it.each(['memory', 'http'])('is taken up by another one on %s (TC-02)', async (kind) => {
    const createTransport = await servers[kind]?.(50);
    if (createTransport === undefined) throw new Error(kind);
    const { client: early } = await connectClient(createTransport());
    const { handle } = await tasksOf(early).start('render', { picture: 'd' });
    await early.close();
    const { client: later } = await connectClient(createTransport());
    const task = await tasksOf(later).resume(JSON.parse(JSON.stringify(handle)) as NonNullable<typeof handle>);
    await later.callTool('finish', { picture: 'd' });
    expect(await text(task.result())).toBe('rendered d');
  });
});
