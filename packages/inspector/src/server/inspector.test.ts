import { createServer, image, tool } from '@ccmcp/core';
import { describe, expect, it } from 'vitest';
import type { InspectorEvent } from '../shared/events.ts';
import type { ListState } from '../shared/lists.ts';
import { connectPage, openPage, type TestPage } from './fixtures/page.ts';
import { startService } from './fixtures/start-service.ts';
import type { OfferedTarget } from './targets.ts';

const numbers = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
} as const;

function adder() {
  return createServer({
    name: 'adder',
    version: '1',
    tools: [
      tool('add', { input: numbers }, ({ a, b }) => `${a + b}`),
      tool('count', {}, (_, { progress, log }) => {
        progress(1, 2);
        log('info', 'half way');
        progress(2, 2);
        return 'counted';
      }),
      tool('ask', {}, async (_, { elicit }) => {
        const answer = await elicit({
          message: 'Who are you?',
          schema: { type: 'object', properties: { name: { type: 'string' } } } as const,
        });
        return answer.action === 'accept' ? `Hello ${answer.content.name}` : answer.action;
      }),
      tool(
        'wait',
        {},
        (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(''))),
      ),
      tool('long', {}, () => 'x'.repeat(100_000)),
      tool('draw', {}, () => image(new Uint8Array(90_000), 'image/png')),
    ],
  });
}

async function serveTarget(origin: OfferedTarget['origin'] = 'configured'): Promise<OfferedTarget> {
  const service = await startService(adder());
  return {
    label: 'adder',
    kind: 'url',
    origin,
    resolve: async () => ({ kind: 'url', url: service.url, label: 'adder' }),
  };
}

async function inProcess(): Promise<OfferedTarget> {
  const server = adder();
  return {
    label: 'adder',
    kind: 'own',
    origin: 'configured',
    resolve: async () => ({ kind: 'own', server, label: 'adder' }),
  };
}

async function connectTarget(page: TestPage, era: 'handshake' | 'stateless'): Promise<string> {
  const made = await page.ask('connect', { target: 't1', settings: { era, logLevel: 'debug' } });
  const { connection: id } = made as { connection: string };
  await page.until('connection', ({ connection }) => connection.id === id && connection.status.is === 'connected');
  return id;
}

const ways = (['handshake', 'stateless'] as const).flatMap((era) => [
  { era, way: 'HTTP', target: serveTarget },
  { era, way: 'memory', target: inProcess },
]);

/** Events of a call in order: messages by method, others by type. */
function eventsOf(page: TestPage, call: string): string[] {
  const about = page.events.filter((event) => 'call' in event && event.call === call);
  return about.flatMap((event) => {
    if (event.type === 'http-request') return [];
    return event.type === 'message' ? `${event.from} ${event.kind} ${event.method}` : event.type;
  });
}

describe.each(ways)('an inspector over $way ($era)', ({ era, target }) => {
  it('logs a call with everything that belongs to it', async () => {
    const page = await openPage({ targets: [await target()] });
    const connection = await connectTarget(page, era);
    const { call } = await page.ask('call', {
      connection,
      method: 'tools/call',
      params: { name: 'count', arguments: {} },
    });
    const end = await page.until('call-end', (event) => event.call === call);
    expect(end).toMatchObject({ outcome: 'ok', result: { content: [{ type: 'text', text: 'counted' }] } });
    expect(eventsOf(page, call)).toEqual([
      'call',
      'client request tools/call',
      'server notification notifications/progress',
      'progress',
      'server notification notifications/message',
      'log',
      'server notification notifications/progress',
      'progress',
      'server result tools/call',
      'call-end',
    ]);
  });

  it('counts an image as a model does, not by its bytes', async () => {
    const page = await openPage({ targets: [await target()] });
    const connection = await connectTarget(page, era);
    const { call } = await page.ask('call', { connection, method: 'tools/call', params: { name: 'draw' } });
    const { bytes, tokens } = await page.until('call-end', (event) => event.call === call);
    expect(bytes).toBeGreaterThan(100_000);
    expect(tokens).toBeLessThan(3000);
  });

  it('reports the size of a loaded list', async () => {
    const page = await openPage({ targets: [await target()] });
    await connectTarget(page, era);
    const { call } = await page.until('call', (event) => event.method === 'tools/list');
    const isLoaded = (event: ListState) => event.kind === 'tools' && event.state === 'loaded';
    const { bytes, tokens, count } = await page.until('list', isLoaded);
    expect(bytes).toBeGreaterThan(300);
    const end = await page.until('call-end', (event) => event.call === call);
    expect(end).toMatchObject({ bytes, tokens, listed: count });
    // Members that the server did not send are absent.
    expect(end).not.toHaveProperty('result');
  });

  it('asks the user in the call that asks', async () => {
    const page = await openPage({ targets: [await target()] });
    const connection = await connectTarget(page, era);
    const { call } = await page.ask('call', { connection, method: 'tools/call', params: { name: 'ask' } });
    const asked = await page.until('question');
    expect(asked).toMatchObject({
      call,
      connection,
      method: 'elicitation/create',
      params: { message: 'Who are you?' },
    });
    await page.ask('answer', { question: asked.question, answer: { action: 'accept', content: { name: 'Ada' } } });
    const end = await page.until('call-end', (event) => event.call === call);
    expect(end).toMatchObject({ outcome: 'ok', result: { content: [{ text: 'Hello Ada' }] } });
    expect(page.events).toContainEqual(
      expect.objectContaining({ type: 'question-end', outcome: 'answered', action: 'accept' }),
    );
    await expect(page.ask('answer', { question: asked.question, answer: { action: 'cancel' } })).rejects.toThrow(
      'no longer pending',
    );
  });

  it('cancels a call', async () => {
    const page = await openPage({ targets: [await target()] });
    const connection = await connectTarget(page, era);
    const { call } = await page.ask('call', { connection, method: 'tools/call', params: { name: 'wait' } });
    await page.until('message', (event) => event.call === call);
    await page.ask('cancel', { call });
    expect(await page.until('call-end', (event) => event.call === call)).toMatchObject({ outcome: 'cancelled' });
  });
});

describe('an inspector', () => {
  it('connects the given targets automatically, and nothing else', async () => {
    const page = await openPage({ targets: [await serveTarget('given'), await serveTarget('configured')] });
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'connected');
    expect(connection).toMatchObject({
      target: 't1',
      label: 'adder',
      server: { info: { name: 'adder' }, era: 'stateless' },
    });
    expect(page.events.some((event) => event.type === 'connection' && event.connection.target === 't2')).toBe(false);
  });

  it('reports the entries of a list, and later changes', async () => {
    const server = adder();
    const target: OfferedTarget = {
      label: 'own',
      kind: 'own',
      origin: 'given',
      resolve: async () => ({ kind: 'own', server, label: 'own' }),
    };
    const page = await openPage({ targets: [target] });
    const first = await page.until('list', ({ kind, state }) => kind === 'tools' && state === 'loaded');
    expect(first).toMatchObject({ count: 6, version: 1 });
    expect(await (await page.get(`api/lists/${first.connection}/tools`)).json()).toMatchObject({
      version: 1,
      entries: [
        { name: 'add' },
        { name: 'count' },
        { name: 'ask' },
        { name: 'wait' },
        { name: 'long' },
        { name: 'draw' },
      ],
    });
    expect(page.events).toContainEqual(expect.objectContaining({ type: 'list', kind: 'prompts', state: 'absent' }));
    await page.until('subscription', ({ state }) => state === 'open');
    server.tools.add(tool('new', {}, () => ''));
    const second = await page.until(
      'list',
      ({ kind, version, state }) => kind === 'tools' && version === 2 && state === 'loaded',
    );
    expect(second.changes).toEqual({ added: ['new'], removed: [], changed: [] });
    // The first list comes with its event; later versions are fetched on demand.
    expect(first.listed?.entries.map(({ name }) => name)).toEqual(['add', 'count', 'ask', 'wait', 'long', 'draw']);
    expect(second).not.toHaveProperty('listed');
    expect((await page.get(`api/lists/${first.connection}/tools?version=1`)).status).toBe(200);
  });

  it('omits a long list from its event', async () => {
    const long = { description: 'x'.repeat(20_000) };
    const server = createServer({ name: 'own', version: '1', tools: [tool('long', long, () => '')] });
    const target: OfferedTarget = {
      label: 'own',
      kind: 'own',
      origin: 'given',
      resolve: async () => ({ kind: 'own', server, label: 'own' }),
    };
    const page = await openPage({ targets: [target] });
    const list = await page.until('list', ({ kind, state }) => kind === 'tools' && state === 'loaded');
    expect(list).not.toHaveProperty('listed');
    expect((await page.get(`api/lists/${list.connection}/tools`)).status).toBe(200);
  });

  it('sends a preview of long texts, and the full text on request', async () => {
    const page = await openPage({ targets: [await serveTarget()] });
    const connection = await connectTarget(page, 'stateless');
    const { call } = await page.ask('call', { connection, method: 'tools/call', params: { name: 'long' } });
    const end = await page.until('call-end', (event) => event.call === call);
    expect(end).toMatchObject({ truncated: true, bytes: expect.any(Number) });
    expect(end).not.toHaveProperty('result');
    const whole = (await (await page.get(`api/calls/${call}`)).json()) as { result: { content: [{ text: string }] } };
    expect(whole.result.content[0].text).toHaveLength(100_000);
    const answer = page.events.find(
      (event) => event.type === 'message' && event.call === call && event.kind === 'result',
    ) as InspectorEvent<'message'>;
    expect(answer.text).toHaveLength(1000);
    const { text } = (await (await page.get(`api/messages/${answer.n}`)).json()) as { text: string };
    expect(JSON.parse(text)).toMatchObject({ result: { content: [{ text: expect.stringMatching(/^x{100000}$/) }] } });
  });

  it('resumes the event stream of a page', async () => {
    const page = await openPage({ targets: [await serveTarget('given')] });
    await page.until('subscription', ({ state }) => state === 'open');
    const { run, folder } = page.hello;
    expect(folder).toBe(process.cwd());
    const address = `${page.origin}/#token=${page.token}`;
    const again = await connectPage(address, `${run}.5`);
    await again.until('subscription', ({ state }) => state === 'open');
    expect(again.events[0]?.n).toBe(6);
    const stranger = await connectPage(address, 'another.5');
    await stranger.until('subscription', ({ state }) => state === 'open');
    expect(stranger.events[0]?.n).toBe(1);
  });

  it('repeats a call, also on another connection', async () => {
    const page = await openPage({ targets: [await serveTarget()] });
    const first = await connectTarget(page, 'stateless');
    const second = await connectTarget(page, 'handshake');
    const { call } = await page.ask('call', {
      connection: first,
      method: 'tools/call',
      params: { name: 'add', arguments: { a: 1, b: 2 } },
    });
    await page.until('call-end', (event) => event.call === call);
    const again = await page.ask('repeat', { call, connection: second });
    expect(await page.until('call-end', (event) => event.call === again.call)).toMatchObject({
      result: { content: [{ text: '3' }] },
    });
    expect(await page.until('call', (event) => event.call === again.call)).toMatchObject({
      repeats: call,
      connection: second,
    });
  });

  it("validates values with the server's messages", async () => {
    const page = await openPage();
    expect(await page.ask('check', { schema: numbers, value: { a: 1, b: 'two' } })).toEqual({
      problems: [{ path: '/b', message: expect.stringContaining('number') }],
    });
    expect(await page.ask('check', { schema: numbers, value: { a: 1, b: 2 } })).toEqual({ problems: [] });
    expect(await page.ask('check', { schema: { type: 'nonsense' }, value: 1 })).toEqual({
      unusable: expect.any(String),
    });
  });

  it('explains why a server is unreachable', async () => {
    const page = await openPage();
    await page.ask('connect', { typed: 'http://127.0.0.1:9/mcp' });
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'failed');
    expect(connection.status).toMatchObject({
      message: expect.stringContaining('ECONNREFUSED'),
      advice: expect.stringContaining('Nothing listens there'),
      exchanges: expect.arrayContaining([expect.stringMatching(/^x\d+$/)]),
    });
  });

  it('reports that a server requires credentials', async () => {
    const service = await startService(adder(), {
      auth: { authenticate: () => undefined, challenge: () => ({ status: 401, message: 'Who are you?' }) } as never,
    });
    const page = await openPage();
    await page.ask('connect', { typed: service.url });
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'needs-sign-in');
    expect(connection.status).toMatchObject({ message: expect.stringContaining('401') });
  });

  it('hides given headers from the page', async () => {
    const page = await openPage({ targets: [await serveTarget()] });
    await page.ask('connect', { target: 't1', settings: { headers: { 'X-Api-Key': 'sesame-street' } } });
    await page.until('subscription', ({ state }) => state === 'open');
    expect(JSON.stringify(page.events)).not.toContain('sesame-street');
    expect(page.events).toContainEqual(
      expect.objectContaining({ type: 'http-request', headers: expect.arrayContaining([['X-Api-Key', '[masked]']]) }),
    );
  });
});
