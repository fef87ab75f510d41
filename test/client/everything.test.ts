import type { Change, Client, ConnectOptions, LogMessage, Progress } from '@ccmcp/core/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cells, connectOver } from './transports.ts';

const answers: ConnectOptions = {
  elicit: ({ requestedSchema }) => ({
    action: 'accept',
    content: 'name' in (requestedSchema.properties as object) ? { name: 'Ann' } : { drink: 't' },
  }),
  elicitUrl: () => ({ action: 'decline' }),
  sample: () => ({ role: 'assistant', content: [{ type: 'text', text: 'Hi' }], model: 'm', stopReason: 'endTurn' }),
  roots: [{ uri: 'file:///work', name: 'Work' }],
};

describe.each(cells)('a client over %s in %s', (kind, version) => {
  /** One client for all tests, because some transports start a process. */
  let client: Client;
  let onLog: (message: LogMessage) => void = () => {};
  let onServerLog: (data: unknown) => void = () => {};

  const ends: (() => unknown)[] = [];
  const ended = (end: () => unknown): void => void ends.unshift(end);
  afterAll(async () => {
    for (const end of ends) await end();
  });
  beforeAll(async () => {
    const logger = { level: 'debug', write: ({ data }: { data: unknown }) => onServerLog(data) } as const;
    const hooks = { onLog: (message: LogMessage) => onLog(message), server: { logger }, ended };
    ({ client } = await connectOver(kind, version, { ...answers, ...hooks }));
  });
  afterEach(() => {
    onLog = () => {};
    onServerLog = () => {};
  });

  it('knows the name and version of the server', async () => {
    expect(client.protocolVersion).toBe(version);
    expect(client.era).toBe(version >= '2026' ? 'stateless' : 'handshake');
    expect(client.serverInfo).toMatchObject({ name: 'everything', version: '1.2.3' });
    expect(client.instructions).toBe('Try everything once.');
    expect(client.capabilities).toMatchObject({ tools: { listChanged: true }, resources: { subscribe: true } });
    await client.ping();
  });

  it('lists everything, over all pages', async () => {
    const names: string[] = [];
    for await (const { name } of client.listTools()) names.push(name);
    expect(names).toContain('add');
    expect(new Set(names).size).toBe(names.length);
    const resources = await client.listResources().all();
    expect(resources.filter(({ uri }) => uri.startsWith('note://'))).toHaveLength(5);
    let pages = 0;
    for await (const page of client.listResources().pages()) pages += page.length > 0 ? 1 : 0;
    expect(pages).toBeGreaterThan(1);
    expect(await client.listResourceTemplates().all()).toMatchObject([{ name: 'notes' }, {}]);
    expect((await client.listPrompts().all()).map(({ name }) => name)).toContain('review');
  });

  it('calls tools: errors of a tool are results, all others exceptions with a code', async () => {
    expect(await client.callTool('add', { a: 1, b: 2 })).toMatchObject({ content: [{ text: '3' }], isError: false });
    expect(await client.callTool('add', { a: 'x' })).toMatchObject({ isError: true });
    await expect(client.callTool('nobody')).rejects.toMatchObject({ name: 'ProtocolError', code: -32602 });
    await client.listTools().all();
    const { structuredContent } = await client.callTool('person');
    expect(structuredContent).toEqual({ name: 'Ann', extra: [1] });
    expect(await client.callTool('nested')).toMatchObject({ isError: false });
  });

  it('reads resources and gets prompts', async () => {
    expect((await client.readResource('note://b')).contents).toMatchObject([{ uri: 'note://b', text: 'Second' }]);
    await expect(client.readResource('note://z')).rejects.toMatchObject({ code: version >= '2026' ? -32602 : -32002 });
    const { messages } = await client.getPrompt('review', { code: 'x' });
    expect(messages.at(-1)).toMatchObject({ content: { text: 'Review this any language: x' } });
    const ref = { type: 'ref/prompt', name: 'review' } as const;
    expect(await client.complete({ ref, argument: { name: 'language', value: 't' } })).toMatchObject({
      values: ['typescript', 'tcl'],
    });
  });

  it('answers questions with the same functions in every version', async () => {
    const text = async (tool: string): Promise<unknown> => (await client.callTool(tool)).content[0];
    expect(await text('where')).toEqual({ type: 'text', text: 'file:///work' });
    const summary = { content: [{ type: 'text', text: 'Hi' }], model: 'm', role: 'assistant', stopReason: 'endTurn' };
    expect(await text('summarize')).toEqual({ type: 'text', text: JSON.stringify(summary) });
    if (version < '2025-06') return;
    expect(await text('greet')).toEqual({ type: 'text', text: 'Hello, Ann!' });
    const order = JSON.parse(
      (await client.callTool('order')).content.map((block) => ('text' in block ? block.text : '')).join(''),
    ) as {
      content: object;
    };
    expect(order.content).toEqual({ drink: 't', milk: false });
    const interview = await client.callTool('interview', { questions: 3 });
    expect(interview.content).toMatchObject([{ text: 'Ann & Ann & Ann' }]);
    expect((await client.getPrompt('personal')).messages).toMatchObject([{ content: { text: 'Write to Ann' } }]);
    if (version >= '2025-11') expect(await text('visit')).toEqual({ type: 'text', text: 'visit: decline' });
  });

  it('declares what it can answer, and nothing else', async () => {
    const { client: other } = await connectOver(kind, version, { roots: [] });
    expect((await other.callTool('abilities')).content).toMatchObject([{ text: 'roots' }]);
  });

  it('receives progress, in order', async () => {
    const received: Progress[] = [];
    await client.callTool('count', { steps: [1, 5, 10] }, { onProgress: (progress) => received.push(progress) });
    expect(received.map(({ progress, total }) => [progress, total])).toEqual([
      [1, 10],
      [5, 10],
      [10, 10],
    ]);
  });

  it('receives log messages from the requested level on', async () => {
    const received: LogMessage[] = [];
    onLog = (message) => received.push(message);
    await client.setLogLevel('warning');
    await client.callTool('talk');
    expect(received).toEqual([
      { level: 'warning', logger: 'weather', data: 'a warning' },
      { level: 'emergency', logger: 'everything', data: 'the end' },
    ]);
    await client.setLogLevel('emergency');
    received.length = 0;
    await client.callTool('talk');
    expect(received.map(({ level }) => level)).toEqual(['emergency']);
  });

  it('may abort a call and continue', async () => {
    const waiting = createSignal();
    const stopped = createSignal();
    onServerLog = (data) => {
      if (data === 'wait: started') waiting.raise();
      else if (String(data).startsWith('wait: ')) stopped.raise();
    };
    onLog = ({ data }) => onServerLog(data);
    await client.setLogLevel('debug');
    const controller = new AbortController();
    const call = client.callTool('wait', {}, { signal: controller.signal });
    await waiting.raised;
    controller.abort(new Error('changed my mind'));
    await expect(call).rejects.toThrow('changed my mind');
    // Log messages of another process arrive only while its requests run.
    if (kind !== 'stdio' && kind !== 'content-length') await stopped.raised;
    expect(await client.callTool('add', { a: 1, b: 1 })).toMatchObject({ isError: false });
  });

  it('receives changes by one API, until it closes its subscription', async () => {
    const notified: Change[] = [];
    const filter = { tools: true, uris: ['text://hello'] };
    const subscription = await client.listen(filter, { onChange: (change) => notified.push(change) });
    expect(subscription.honoured).toEqual(filter);
    const read = subscription[Symbol.asyncIterator]();
    await client.callTool('grow');
    expect(await read.next()).toEqual({ done: false, value: { kind: 'resource', uri: 'text://hello' } });
    expect(await read.next()).toEqual({ done: false, value: { kind: 'tools' } });
    expect((await client.listTools().all()).map(({ name }) => name)).toContain('grown');
    await subscription.close();
    expect(await read.next()).toEqual({ done: true, value: undefined });
    expect(notified).toHaveLength(2);
  });
});

function createSignal(): { raise: () => void; raised: Promise<void> } {
  let raise = (): void => {};
  const raised = new Promise<void>((resolve) => {
    raise = resolve;
  });
  return { raise: () => raise(), raised };
}
