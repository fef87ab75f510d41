import { describe, expect, it } from 'vitest';
import type { Notification } from '../../jsonrpc/message.ts';
import { limits } from '../../limits.ts';
import { embeddedResource, image, text } from '../../protocol/content.ts';
import { compose } from '../../compose.ts';
import { createServer, type ServerOptions } from '../../create-server.ts';
import { prompt, resource, template, tool } from '../define/define.ts';
import { connectDirect, textOf } from '../fixtures/direct-client.ts';
import type { LogEntry } from '../log/log.ts';
import { encodeResponses } from './encode-responses.ts';
import { receive } from '../receive.ts';
import { boundedData, remainingLength } from './result-size.ts';
import { unlimited, Usage } from '../../features/quotas/quota.ts';
import { engineOf } from '../server-handle.ts';
import type { Server } from '../server.ts';

const MAX = 2000;
const long = 'x'.repeat(MAX + 1);
const eras = ['2025-11-25', '2026-07-28'] as const;

function serverWith(options: Partial<ServerOptions>): { server: Server; log: LogEntry[] } {
  const log: LogEntry[] = [];
  const logger = { level: 'warning', write: (entry: LogEntry) => void log.push(entry) } as const;
  return { server: createServer({ name: 'large', version: '1', maxResult: MAX, logger, ...options }), log };
}

const tooLarge = (what: string): string =>
  `The result of ${what} is too large: more than ${MAX} characters. Ask for less at a time`;

describe.each(eras)('a result that is too large, in %s', (version) => {
  const output = { type: 'object' } as const;
  const finished = { content: [text('short')], structuredContent: { long } };
  const values: [string, unknown][] = [
    ['a text', long],
    ['a block', text(long)],
    ['several blocks', [text(long.slice(0, MAX / 2)), text(long.slice(0, MAX / 2))]],
    ['a picture', image(long, 'image/png')],
    ['a resource', [embeddedResource({ uri: 'a:b', text: long })]],
    ['data', { a: [{ b: long }] }],
    ['data that are sent twice', { a: long.slice(0, MAX / 2) }],
    ['many small data', Array.from({ length: MAX }, (_, each) => each)],
    ['bytes among data', { bytes: new Uint8Array(MAX) }],
    ['a finished result', finished],
    ['a member with a long name', { [long]: 1 }],
  ];

  it.each(values)('RX-13: of a tool is rejected, with advice for its author: %s', async (_, value) => {
    const tools = [tool('big', {}, () => value as object), tool('later', {}, async () => value as object)];
    const { server, log } = serverWith({ tools });
    const { request } = connectDirect(server, { version });
    for (const name of ['big', 'later']) {
      const answer = await request('tools/call', { name });
      expect(answer?.result?.isError).toBe(true);
      expect(textOf(answer)).toBe(tooLarge(`tool "${name}"`));
      const { data, error } = log.pop() as LogEntry;
      expect([data, String(error)]).toEqual([
        tooLarge(`tool "${name}"`),
        expect.stringContaining('or allow more with "maxResult" of createServer'),
      ]);
    }
    expect(log).toEqual([]);
  });

  it('RX-13: of a tool with an output schema is rejected', async () => {
    const { server } = serverWith({ tools: [tool('big', { output }, () => ({ long }))] });
    expect(textOf(await connectDirect(server, { version }).request('tools/call', { name: 'big' }))).toMatch(
      /is too large/,
    );
  });

  it.each([
    ['text', long],
    ['bytes', new Uint8Array((MAX * 3) / 4 + 1)],
    ['contents', [{ uri: 'a:b', blob: long }]],
    ['data', { long }],
  ])('RX-14: of a resource is rejected: %s', async (_, value) => {
    const { server, log } = serverWith({
      resources: [resource('big://one', {}, () => value)],
      templates: [template('big://{id}', {}, async () => value)],
    });
    const { request } = connectDirect(server, { version });
    for (const uri of ['big://one', 'big://two']) {
      const { error } = (await request('resources/read', { uri })) ?? {};
      expect(error).toMatchObject({ code: -32603, message: tooLarge(`resource "${uri}"`) });
      expect(log.pop()?.data).toBe(tooLarge(`resource "${uri}"`));
    }
  });

  it('is rejected of prompts, completions and lists behind templates', async () => {
    const { server } = serverWith({
      prompts: [prompt('big', { arguments: { a: { complete: () => [long] } } }, () => long)],
      templates: [template('big://{id}', { list: () => ({ resources: [{ uri: 'big://a', name: long }] }) }, () => '')],
    });
    const { request } = connectDirect(server, { version });
    const ref = { type: 'ref/prompt', name: 'big' };
    expect((await request('prompts/get', { name: 'big' }))?.error?.message).toBe(tooLarge('prompt "big"'));
    expect((await request('completion/complete', { ref, argument: { name: 'a', value: '' } }))?.error?.message).toBe(
      tooLarge('completion of "a"'),
    );
    expect((await request('resources/list'))?.error?.message).toBe(tooLarge('the list of template "big://{id}"'));
  });

  it('accepts a result that fits', async () => {
    const { server, log } = serverWith({
      tools: [tool('fits', {}, () => 'x'.repeat(MAX))],
      resources: [resource('fits:one', {}, () => new Uint8Array((MAX * 3) / 4))],
    });
    const { request } = connectDirect(server, { version });
    expect(textOf(await request('tools/call', { name: 'fits' }))).toHaveLength(MAX);
    expect((await request('resources/read', { uri: 'fits:one' }))?.result?.contents[0].blob).toHaveLength(MAX);
    expect(log).toEqual([]);
  });
});

describe('the limit of results', () => {
  it('is 16 MiB, another, or none', async () => {
    const tools = [tool('big', {}, () => 'x'.repeat(limits.server.maxResult.value + 1))];
    for (const [options, isError] of [
      [{ maxResult: limits.server.maxResult.value }, true],
      [{ maxResult: Infinity }, false],
    ] as const) {
      const { server } = serverWith({ ...options, tools });
      expect((await connectDirect(server).request('tools/call', { name: 'big' }))?.result?.isError).toBe(isError);
    }
    const logger = { level: 'emergency', write: () => {} } as const;
    const usual = createServer({ name: 'n', version: '1', tools, logger });
    expect((await connectDirect(usual).request('tools/call', { name: 'big' }))?.result?.isError).toBe(true);
  });

  it.each([0, -1, Number.NaN])('can not be %s', (maxResult) => {
    expect(() => serverWith({ maxResult })).toThrow('maxResult must be a number of characters above 0');
  });

  it('holds for pages of lists: they get shorter', async () => {
    const tools = Array.from({ length: 20 }, (_, each) => tool(`t${each}`, { description: 'x'.repeat(100) }, () => ''));
    const { server } = serverWith({ tools });
    const { request } = connectDirect(server);
    const names: string[] = [];
    let pages = 0;
    for (let cursor: string | undefined, more = true; more; pages++) {
      const { result } = (await request('tools/list', cursor === undefined ? {} : { cursor })) ?? {};
      names.push(
        ...(result.toJSON?.().tools.map(({ name }: { name: string }) => name) ??
          result.tools.map(({ name }: { name: string }) => name)),
      );
      cursor = (result.toJSON?.() ?? result).nextCursor;
      more = cursor !== undefined;
    }
    expect(names).toEqual(tools.map(({ name }) => name));
    expect(pages).toBeGreaterThan(3);
  });

  it.each(eras)('applies to a list including its envelope, in %s', async (version) => {
    const tools = Array.from({ length: 20 }, (_, each) => tool(`t${each}`, { description: 'x'.repeat(100) }, () => ''));
    const listed = async (maxResult: number): Promise<string> => {
      const { server } = serverWith({ tools, maxResult });
      const answer = await connectDirect(server, { version }).request('tools/list');
      return encodeResponses(engineOf(server), answer as never);
    };
    const whole = await listed(Number.POSITIVE_INFINITY);
    expect(JSON.parse(await listed(whole.length - 1)).result).toMatchObject({ nextCursor: expect.any(String) });
  });

  it('is that of the part in a composed server, also if it is higher', async () => {
    const { server: part } = serverWith({ maxResult: limits.server.maxResult.value * 2, tools: [] });
    const { server: other } = serverWith({ tools: [tool('big', {}, () => long)] });
    const whole = compose({ part, other }, { name: 'whole', version: '1' });
    expect(engineOf(whole).settings.maxResult).toBe(limits.server.maxResult.value * 2);
    expect(textOf(await connectDirect(whole).request('tools/call', { name: 'big' }))).toMatch(/is too large/);
  });

  it('holds for whatever else is answered, once it is written', async () => {
    const { server, log } = serverWith({ tools: [tool('short', {}, () => 'short')] });
    server.use((_, next) => ({ ...(next() as object), _meta: { long } }));
    const answer = await connectDirect(server).request('tools/call', { name: 'short' });
    const written = JSON.parse(encodeResponses(engineOf(server), answer as never));
    expect(written).toMatchObject({ id: 1, error: { code: -32603, message: tooLarge('the request') } });
    expect(log).toHaveLength(1);
  });

  it('holds for all answers of a batch together', async () => {
    const { server } = serverWith({ tools: [tool('half', {}, () => 'x'.repeat(MAX * 0.6))] });
    const { peer } = connectDirect(server, { version: '2025-03-26' });
    const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
    const batch = JSON.stringify([call(11, 'half'), call(12, 'half'), call(13, 'none')]);
    const reply = await receive(engineOf(server), batch, peer);
    const written = JSON.parse(encodeResponses(engineOf(server), reply as never));
    const rejected = { code: -32603, message: expect.stringContaining('with those before it in the batch') };
    expect(written).toMatchObject([
      { id: 11, result: {} },
      { id: 12, error: rejected },
      { id: 13, error: { code: -32603, message: expect.stringMatching(/^The request was not served: /) } },
    ]);
  });

  it('drops waiting results of a batch if their caller exceeds its quota', async () => {
    let resolve: (text: string) => void = () => {};
    const promise = new Promise<string>((done) => (resolve = done));
    const half = tool('half', {}, async () => 'x'.repeat(8000));
    const { server } = serverWith({ tools: [half, tool('last', {}, () => promise)], maxResult: 100_000 });
    const usage = new Usage('caller', 'caller', { ...unlimited, incoming: 14_000 });
    const peer = { ...connectDirect(server, { version: '2025-03-26' }).peer, usage };
    const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
    const reply = receive(
      engineOf(server),
      JSON.stringify([call(11, 'half'), call(12, 'half'), call(13, 'last')]),
      peer,
    );
    await new Promise((turn) => setImmediate(turn));
    expect(usage.incoming).toBeGreaterThan(8000);
    expect(usage.incoming).toBeLessThan(14_000);
    resolve('last');
    const written = JSON.parse(encodeResponses(engineOf(server), (await reply) as never));
    const dropped = { code: -32603, message: expect.stringContaining('no room to keep its result until the rest') };
    expect(written).toMatchObject([
      { id: 11, result: {} },
      { id: 12, error: dropped },
      { id: 13, result: { content: [{ text: 'last' }] } },
    ]);
    expect(written[1].error).not.toHaveProperty('data');
    expect(usage.incoming).toBe(0);
  });

  it('holds for errors with long details', () => {
    const { server } = serverWith({});
    const error = { code: -32000, message: 'no', data: 'x'.repeat(20_000) };
    const written = JSON.parse(encodeResponses(engineOf(server), { jsonrpc: '2.0', id: 1, error }));
    expect(written.error.message).toBe(tooLarge('the request'));
  });
});

describe('notifications and questions', () => {
  const most = 1024 * 1024;

  it('is cut: log messages, for the client and here', async () => {
    const said = [long, 'x'.repeat(most + 1), { list: ['x'.repeat(most)] }, { small: true }];
    const { server, log } = serverWith({
      tools: [
        tool('talk', {}, (_, context) => {
          for (const data of said) context.log('warning', data);
        }),
      ],
    });
    const { request, received } = connectDirect(server, { version: '2025-11-25' });
    await request('tools/call', { name: 'talk' });
    for (const data of said) server.log('warning', data);
    const expected = [
      long,
      `${'x'.repeat(1000)}… (cut: ${most + 1} characters are more than ${most})`,
      `Left out: more than ${most} characters`,
      { small: true },
    ];
    expect(log.map(({ data }) => data)).toEqual([...expected, ...expected]);
    expect(received.map((message) => (message as Notification).params?.data)).toEqual([...expected, ...expected]);
  });

  it('is cut: texts of progress', async () => {
    const { server } = serverWith({
      tools: [tool('go', {}, (_, { progress }) => progress(1, 2, 'x'.repeat(most + 1)))],
    });
    const { request, received } = connectDirect(server, { version: '2025-11-25', meta: { progressToken: 't' } });
    await request('tools/call', { name: 'go' });
    expect(received).toMatchObject([{ params: { message: expect.stringMatching(/^x{1000}… \(cut/) } }]);
  });

  it.each(eras)('is rejected, to the author: questions that are too large, in %s', async (version) => {
    const { server, log } = serverWith({
      tools: [tool('ask', {}, async (_, { sample }) => (await sample({ messages: long, maxTokens: 1 })).model)],
    });
    const { request } = connectDirect(server, { version, capabilities: { sampling: {} }, ask: async () => ({}) });
    expect((await request('tools/call', { name: 'ask' }))?.result?.isError).toBe(true);
    expect(String(log[0]?.error)).toContain('The question "sampling/createMessage" is too large');
  });

  it('is rejected, to the author: notifications that are too large', () => {
    const notifications = { 'notifications/own': { broadcast: true } };
    const { server } = serverWith({ extensions: [{ id: 'example.com/own', notifications }] });
    expect(() => server.notify('notifications/own', { long })).toThrow('"notifications/own" is too large');
    expect(() => server.notify('notifications/own', { short: 1 })).not.toThrow();
  });
});

describe('the room that a value leaves', () => {
  it('is never less than JSON leaves', () => {
    for (const value of ['abc', 1, true, null, [], {}, [1, 'a'], { a: { b: ['c'] } }, [[[]]], { d: new Date(0) }]) {
      expect(remainingLength(value, 1000)).toBeGreaterThanOrEqual(1000 - JSON.stringify(value).length - 2);
    }
  });

  it('is found for values that JSON rejects', () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(remainingLength(loop, 1e6)).toBeGreaterThan(0);
    let deep: unknown[] = [];
    for (let each = 0; each < 100_000; each++) deep = [deep];
    expect(remainingLength(deep, 1e6)).toBeGreaterThan(0);
    expect(remainingLength([1n, Symbol('s'), undefined, () => 1], 100)).toBeGreaterThan(0);
    expect(boundedData(undefined)).toBeUndefined();
  });

  it('is not looked for further than it goes', () => {
    const looked: number[] = [];
    const list = Array.from({ length: 100 }, (_, each) => ({
      get text() {
        looked.push(each);
        return 'x'.repeat(10);
      },
    }));
    expect(remainingLength(list, 100)).toBeLessThan(0);
    expect(looked.length).toBeLessThan(10);
  });
});
