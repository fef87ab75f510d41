import { createServer as createHttpServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createServer, tool } from '@ccmcp/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listening } from '../../../../../test/support/listening.ts';
import type { InspectorEvent } from '../../shared/events.ts';
import { openPage } from '../fixtures/page.ts';
import { startService } from '../fixtures/start-service.ts';
import { EventLog, IdGenerator } from '../log/event-log.ts';
import { SignIns } from '../sign-in/sign-ins.ts';
import type { OfferedTarget } from '../targets.ts';
import { Calls } from './calls.ts';
import { Connections } from './connections.ts';
import { Questions } from './questions.ts';

/** A stdio server as a program, with JavaScript to run before or after `tools/list`. */
function program(then = '', before = ''): OfferedTarget {
  const script = `
    const answers = {
      initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'program', version: '1' } }),
      'tools/list': () => ({ tools: [{ name: 'x', inputSchema: { type: 'object' } }] }),
    };
    ${before}
    console.error('I am here');
    process.stdin.setEncoding('utf8').on('data', (text) => {
      for (const line of text.trim().split('\\n')) {
        const { id, method, params } = JSON.parse(line);
        if (id === undefined) continue;
        const answer = answers[method]?.(params);
        const rest = answer ? { result: answer } : { error: { code: -32601, message: 'Not found' } };
        console.log(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
        if (method === 'tools/list') { ${then} }
      }
    });`;
  const target = { kind: 'command', command: process.execPath, args: ['-e', script], label: 'program' } as const;
  return { label: 'program', kind: 'command', origin: 'given', resolve: async () => target };
}

describe('a connection to a command', () => {
  it('logs stderr, and every line unchanged', async () => {
    const page = await openPage({ targets: [program("console.log('what is no message')")] });
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'connected');
    expect(connection).toMatchObject({
      kind: 'command',
      server: { era: 'handshake', transport: 'stdio', info: { name: 'program' } },
    });
    expect(await page.until('output')).toMatchObject({ text: 'I am here\n' });
    expect(await page.until('message', ({ kind }) => kind === 'broken')).toMatchObject({ text: 'what is no message' });
  });

  it('stays single if reconnected twice at the same time', async () => {
    const log = new EventLog();
    const ids = new IdGenerator();
    const [calls, questions, signIns] = [new Calls(log, ids), new Questions(log, ids), new SignIns(log, ids)];
    const connections = new Connections({ log, ids, calls, questions, signIns, version: '1' });
    const connection = connections.add(await program().resolve(), { era: 'handshake' });
    onTestFinished(() => connections.close());
    await connection.open();
    await Promise.all([connection.open(), connection.open()]);
    const sent = Array.from(log.after(0), ({ json }) => JSON.parse(json) as InspectorEvent);
    expect(
      sent.filter((event) => event.type === 'message' && event.method === 'initialize' && event.from === 'client'),
    ).toHaveLength(2);
    expect(connection.state.status).toBe('connected');
  });

  it('reloads a list once more, however many changes are announced at once', async () => {
    const flood = `
      const first = answers.initialize;
      answers.initialize = (params) => ({ ...first(params), capabilities: { tools: { listChanged: true } } });
      answers.ping = () => {
        for (let count = 0; count < 100; count++)
          console.log(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
        return {};
      };`;
    const page = await openPage({ targets: [program('', flood)] });
    await page.until('subscription', ({ state }) => state === 'open');
    const { connection } = await page.until('list', ({ kind, state }) => kind === 'tools' && state === 'loaded');
    const asked = (): number =>
      page.events.filter((each) => each.type === 'call' && each.method === 'tools/list').length;
    expect(asked()).toBe(1);
    await page.ask('call', { connection, method: 'ping' });
    await page.until('list', ({ version }) => version === 3);
    const { call } = await page.ask('call', { connection, method: 'x' });
    await page.until('call-end', (event) => event.call === call);
    expect(asked()).toBe(3);
    expect(page.events.filter(({ type }) => type === 'change')).toHaveLength(100);
  });

  it('loads a list again that changes while it is listed', async () => {
    const growing = `
      const first = answers.initialize;
      answers.initialize = (params) => ({ ...first(params), capabilities: { tools: { listChanged: true } } });
      const tools = [];
      answers['tools/list'] = () => {
        const listed = [...tools];
        if (tools.push({ name: 'x', inputSchema: { type: 'object' } }) === 1)
          console.log('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
        return { tools: listed };
      };`;
    const page = await openPage({ targets: [program('', growing)] });
    const loaded = await page.until('list', ({ kind, count }) => kind === 'tools' && count === 1);
    expect(loaded.state).toBe('loaded');
  });

  it('fails when the command exits, without restarting it', async () => {
    const page = await openPage({ targets: [program("console.error('I am tired'); process.exit(3)")] });
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'failed');
    expect(connection.status).toMatchObject({
      message: expect.stringContaining('code 3'),
      stderr: expect.stringContaining('I am tired'),
    });
    expect(page.events.filter((event) => event.type === 'output' && event.text.includes('I am here'))).toHaveLength(1);
  });

  it('reports the stderr of a command once, although it starts twice', async () => {
    const args = ['-e', "console.error('KEY is not set'); process.exit(1)"];
    const target = { kind: 'command', command: process.execPath, args, label: 'broken' } as const;
    const page = await openPage({
      targets: [{ label: 'broken', kind: 'command', origin: 'given', resolve: async () => target }],
    });
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'failed');
    expect(connection.status).toMatchObject({ stderr: 'KEY is not set' });
  });

  it('can be closed, reopened in another revision, and removed', async () => {
    const page = await openPage({ targets: [program()] });
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'connected');
    await page.ask('disconnect', { connection: connection.id });
    await page.until('connection', (event) => event.connection.status.is === 'closed');
    await expect(page.ask('call', { connection: connection.id, method: 'ping' })).rejects.toThrow('not connected');
    await expect(page.ask('list', { connection: connection.id, kind: 'tools' })).rejects.toThrow('not connected');
    await page.ask('reconnect', { connection: connection.id, settings: { version: '2025-03-26' } });
    await page.until('connection', ({ connection: { server } }) => server?.protocolVersion === '2025-03-26');
    await page.ask('forget', { connection: connection.id });
    await page.until('forgotten');
    await expect(page.ask('call', { connection: connection.id, method: 'ping' })).rejects.toThrow('Unknown connection');
  });
});

describe('a connection over HTTP', () => {
  it('reports that the server requires credentials', async () => {
    const origin = await listening(createHttpServer((_, response) => response.writeHead(401).end()));
    const page = await openPage();
    await page.ask('connect', { typed: `${origin}/mcp` });
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'needs-sign-in');
    expect(connection.status).toMatchObject({ message: 'The server wants credentials (401)' });
  });

  it('reconnects when the server returns', async () => {
    const make = () => createServer({ name: 'x', version: '1', tools: [tool('hello', {}, () => 'hello')] });
    const first = await startService(make());
    const page = await openPage();
    const made = (await page.ask('connect', { typed: first.url })) as { connection: string };
    await page.until('subscription', ({ state }) => state === 'open');
    await first.close({ graceMs: 0, lingerMs: 0 });
    await page.ask('call', { ...made, method: 'tools/call', params: { name: 'hello' } });
    expect(await page.until('call-end', ({ outcome }) => outcome === 'lost')).toMatchObject({
      error: { message: expect.any(String) },
    });
    const lost = await page.until('connection', ({ connection }) => connection.status.is === 'reconnecting');
    await startService(make(), { port: Number(new URL(first.url).port) });
    await page.until('connection', (event) => event.n > lost.n && event.connection.status.is === 'connected');
  });

  it('lists the features of a server that never confirms a subscription', async () => {
    const answers: Readonly<Record<string, object>> = {
      'server/discover': {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'silent', version: '1' },
      },
      'tools/list': { tools: [{ name: 'x', inputSchema: { type: 'object' } }] },
    };
    const origin = await listening(
      createHttpServer((request, response) => {
        void text(request).then((body) => {
          const { id, method } = JSON.parse(body) as { id: number; method: string };
          if (method === 'subscriptions/listen') return response;
          const result = { resultType: 'complete', ...answers[method] };
          response.setHeader('Content-Type', 'application/json');
          return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
        });
      }),
    );
    const page = await openPage();
    await page.ask('connect', { typed: `${origin}/mcp` });
    const loaded = await page.until('list', ({ kind, count }) => kind === 'tools' && count === 1);
    expect(loaded.state).toBe('loaded');
  });

  it('coexists with another connection to the same server, in another revision', async () => {
    const service = await startService(createServer({ name: 'x', version: '1' }));
    const page = await openPage();
    for (const version of ['2026-07-28', '2025-06-18'])
      await page.ask('connect', { typed: service.url, settings: { version } });
    for (const version of ['2026-07-28', '2025-06-18']) {
      await page.until('connection', ({ connection: { server } }) => server?.protocolVersion === version);
    }
    const labels = page.events.flatMap((event) => (event.type === 'connection' ? event.connection.label : []));
    expect([...new Set(labels)]).toEqual([service.url, `${service.url} 2`]);
  });
});

describe('a flooding server', () => {
  it('is shown without exceeding the memory of the log', async () => {
    const flood = `
      const line = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x'.repeat(2000) } }) + '\\n';
      process.stdout.write(line.repeat(5000));
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/done' }) + '\\n');`;
    const page = await openPage({ targets: [program(flood)] });
    const done = await page.until('message', ({ method }) => method === 'notifications/done');
    const flooded = page.events.filter((event) => event.type === 'log');
    expect(flooded.length).toBe(5000);
    expect(flooded.every((event) => event.type === 'log' && event.data.length <= 1000)).toBe(true);
    expect(done.n).toBeGreaterThan(10_000);
  });
});
