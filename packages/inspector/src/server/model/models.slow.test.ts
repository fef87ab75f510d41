import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server, tool } from '@ccmcp/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  anthropicText,
  type FakeModelService,
  modelService,
  type ModelReply,
  openaiText,
} from '../fixtures/model-service.ts';
import { openPage, type TestPage } from '../fixtures/page.ts';
import { startService } from '../fixtures/start-service.ts';
import type { ServeInspectorOptions } from '../serve.ts';
import { defaultUrls } from './settings.ts';

const key = 'sk-own-key-of-a-person-0001';

/** A server whose tools send sampling requests. */
function taster(): Server {
  return createServer({
    name: 'taster',
    version: '1',
    tools: [
      tool('taste', {}, async (_, { sample }) => {
        const { content, model, stopReason } = await sample({ messages: 'How does it taste?', maxTokens: 60 });
        return JSON.stringify({ content, model, stopReason });
      }),
      tool('cook', {}, async (_, { sample }) => {
        const question = { type: 'text' as const, text: 'What is for dinner?' };
        const { content } = await sample({
          messages: [{ role: 'user', content: question }],
          maxTokens: 60,
          tools: [{ name: 'pantry.list', inputSchema: { type: 'object' } }],
          toolChoice: { mode: 'auto' },
        });
        return JSON.stringify(content);
      }),
      tool('ask', {}, async (_, { elicit }) => {
        const schema = { type: 'object', properties: { name: { type: 'string' } } } as const;
        return (await elicit({ message: 'Who?', schema })).action;
      }),
      tool('flood', {}, async (_, { sample }) => {
        const { content } = await sample({ messages: 'x'.repeat(1_000_000), maxTokens: 60 });
        return JSON.stringify(content);
      }),
    ],
  });
}

interface Opened {
  readonly page: TestPage;
  readonly connection: string;
  /** Calls a tool, and returns the question that it asks. */
  call(name: string): Promise<{ call: string; question: string }>;
  result(call: string): Promise<string>;
}

async function opened(
  options: ServeInspectorOptions = {},
  era: 'handshake' | 'stateless' = 'stateless',
): Promise<Opened> {
  const service = await startService(taster());
  const page = await openPage(options);
  const made = await page.ask('connect', { typed: service.url, settings: { era } });
  const { connection: id } = made as { connection: string };
  await page.until('connection', ({ connection }) => connection.id === id && connection.status.is === 'connected');
  return {
    page,
    connection: id,
    async call(name) {
      const { call } = await page.ask('call', {
        connection: id,
        method: 'tools/call',
        params: { name, arguments: {} },
      });
      const { question } = await page.until('question', (event) => event.call === call);
      return { call, question };
    },
    async result(call) {
      const { result } = await page.until('call-end', (event) => event.call === call);
      return JSON.stringify(result);
    },
  };
}

const services = [
  { service: 'anthropic' as const, text: anthropicText, path: '/v1/messages', header: 'x-api-key', sent: key },
  {
    service: 'openai' as const,
    text: openaiText,
    path: '/v1/chat/completions',
    header: 'authorization',
    sent: `Bearer ${key}`,
  },
];

function setUp(page: TestPage, { url }: Pick<FakeModelService, 'url'>, service: 'anthropic' | 'openai' = 'anthropic') {
  return page.ask('set-up-model', { service, url, model: 'some-model', key });
}

function ended(page: TestPage, ask: string) {
  return page.until('model-end', (event) => event.ask === ask);
}

async function closedPort(): Promise<number> {
  const http = createHttpServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  await new Promise((resolve) => http.close(resolve));
  return port;
}

describe('a model that drafts answers', () => {
  const ways = services.flatMap((each) => (['handshake', 'stateless'] as const).map((era) => ({ ...each, era })));

  it.each(ways)('writes a draft, which is sent when the user answers ($service, $era)', async (way) => {
    const { service, text, path, header, sent, era } = way;
    const fake = await modelService(() => text('Like summer'));
    const { page, connection, call, result } = await opened({}, era);
    await setUp(page, fake, service);
    const { call: id, question } = await call('taste');
    const { ask } = await page.ask('ask-model', { question });
    const end = await ended(page, ask);
    expect(end).toMatchObject({ outcome: 'drafted', usage: { input: 11, output: 7 } });
    expect(end.draft).toMatchObject({ content: { type: 'text', text: 'Like summer' }, stopReason: 'endTurn' });
    expect(fake.asked).toMatchObject([{ path, headers: { [header]: sent }, body: { max_tokens: 60 } }]);
    expect(page.events.some(({ type }) => type === 'question-end')).toBe(false);

    const answer = { ...end.draft, content: { type: 'text', text: 'Like late summer' } };
    await page.ask('answer', { question, answer: answer as never });
    expect(await result(id)).toContain('Like late summer');
    const exchange = await page.until('http-request', (event) => event.question === question);
    expect(exchange).toMatchObject({ connection, call: id, method: 'POST', url: `${fake.url}${path}` });
  });

  it.each(services)('receives tools, and can use them ($service)', async ({ service }) => {
    const replies: Record<string, ModelReply> = {
      anthropic: {
        body: {
          content: [{ type: 'tool_use', id: 'u1', name: 'pantry_list', input: { shelf: 2 } }],
          stop_reason: 'tool_use',
        },
      },
      openai: {
        body: {
          choices: [
            {
              message: {
                content: null,
                tool_calls: [
                  { id: 'u1', type: 'function', function: { name: 'pantry_list', arguments: '{"shelf":2}' } },
                ],
              },
              finish_reason: 'tool_calls',
            },
          ],
        },
      },
    };
    const fake = await modelService(() => replies[service]);
    const { page, call, result } = await opened();
    await setUp(page, fake, service);
    const { call: id, question } = await call('cook');
    const { draft } = await ended(page, (await page.ask('ask-model', { question })).ask);
    const use = { type: 'tool_use', id: 'u1', name: 'pantry.list', input: { shelf: 2 } };
    expect(draft).toMatchObject({ content: use, stopReason: 'toolUse' });
    await page.ask('answer', { question, answer: draft as never });
    expect(await result(id)).toContain('pantry.list');
  });

  it('can be replaced by another of the same service for one question', async () => {
    const fake = await modelService(() => openaiText('x'));
    const { page, call } = await opened();
    await setUp(page, fake, 'openai');
    const { question } = await call('taste');
    const { ask } = await page.ask('ask-model', { question, model: 'hinted' });
    await ended(page, ask);
    expect(fake.asked).toMatchObject([{ body: { model: 'hinted' } }]);
  });

  it('is asked again with the newer token limit parameter', async () => {
    const message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
    const fake = await modelService(({ body }) =>
      'max_tokens' in body ? { status: 400, body: { error: { message } } } : openaiText('x'),
    );
    const { page, call } = await opened();
    await setUp(page, fake, 'openai');
    const { question } = await call('taste');
    expect(await ended(page, (await page.ask('ask-model', { question })).ask)).toMatchObject({ outcome: 'drafted' });
    expect(fake.asked.map(({ body }) => body.max_completion_tokens)).toEqual([undefined, 60]);
  });

  it('is cancelled on request, and when the question ends', async () => {
    const fake = await modelService(() => undefined);
    const { page, call, result } = await opened();
    await setUp(page, fake);
    const { call: id, question } = await call('taste');
    const first = await page.ask('ask-model', { question });
    await expect(page.ask('ask-model', { question })).rejects.toThrow('already being asked');
    await page.ask('cancel-ask', { question });
    expect(await ended(page, first.ask)).toMatchObject({ outcome: 'cancelled' });
    const second = await page.ask('ask-model', { question });
    await page.ask('answer', {
      question,
      answer: { role: 'assistant', model: 'by-hand', content: { type: 'text', text: 'Mine' } },
    });
    expect(await ended(page, second.ask)).toMatchObject({ outcome: 'cancelled' });
    expect(await result(id)).toContain('Mine');
  });

  it.each<[string, ModelReply, string, string]>([
    [
      'a wrong key',
      { status: 401, body: { error: { message: 'invalid x-api-key' } } },
      'rejected the key',
      'Enter it again',
    ],
    [
      'an unknown model',
      { status: 404, body: { error: { message: 'model: nope' } } },
      'does not know the model',
      'Set up one',
    ],
    ['a wrong path', { status: 404, body: 'nope' }, 'There is nothing at', 'URL'],
    ['too many requests', { status: 429, headers: { 'retry-after': '7' }, body: '{}' }, 'rate limited', 'in 7 seconds'],
    [
      'an overloaded service',
      { status: 529, body: { error: { message: 'Overloaded' } } },
      'failed (529): Overloaded',
      'later',
    ],
    ['a bad request', { status: 400, body: { error: { message: 'temperature' } } }, '(400): temperature', 'timeline'],
    [
      'a page',
      { headers: { 'Content-Type': 'text/html' }, body: '<h1>Hello</h1>' },
      'no JSON, but text/html',
      'Is http',
    ],
    ['other JSON', { body: { hello: 1 } }, 'JSON of another kind', 'messages?'],
    [
      'a redirect',
      { status: 307, headers: { Location: 'http://127.0.0.1:1/' }, body: '' },
      'redirects (307 to 127',
      'not followed',
    ],
  ])('says what is wrong: %s', async (_, reply, message, advice) => {
    const fake = await modelService(() => reply);
    const { page, call } = await opened();
    await setUp(page, fake);
    const { question } = await call('taste');
    const { error, outcome } = await ended(page, (await page.ask('ask-model', { question })).ask);
    expect({ outcome, ...error }).toEqual({
      outcome: 'failed',
      message: expect.stringContaining(message),
      advice: expect.stringContaining(advice),
    });
    expect(fake.asked).toHaveLength(1);
  });

  it('reports a timeout', async () => {
    const silent = await modelService(() => undefined);
    const { page, call } = await opened({ model: { service: 'openai', model: 'm', url: silent.url, timeoutMs: 50 } });
    const { question } = await call('taste');
    const { error } = await ended(page, (await page.ask('ask-model', { question })).ask);
    expect(error?.message).toContain('No response within');
  });

  it('reports that nothing listens', async () => {
    const port = await closedPort();
    const { page, call } = await opened();
    await setUp(page, { url: `http://127.0.0.1:${port}` });
    const { question } = await call('taste');
    const { error } = await ended(page, (await page.ask('ask-model', { question })).ask);
    expect(error?.message).toBe(`Nothing listens at 127.0.0.1:${port}`);
  });

  it('stops reading an endless answer', async () => {
    const talker = await modelService(() => ({ body: 'x'.repeat(4 * 1024 * 1024 + 1) }));
    const { page, call } = await opened();
    await setUp(page, talker);
    const { question } = await call('taste');
    const { error } = await ended(page, (await page.ask('ask-model', { question })).ask);
    expect(error?.message).toContain('longer than');
  });
});

describe('automatic answers', () => {
  it('apply only to the connection they were switched on for', async () => {
    const fake = await modelService(() => anthropicText('By itself'));
    const { page, connection, call, result } = await opened();
    await setUp(page, fake);
    const other = await opened();
    await page.ask('set-auto-answer', { connection, on: true });
    const { call: id, question } = await call('taste');
    expect(await result(id)).toContain('By itself');
    const end = await page.until('model-end', (event) => event.question === question);
    expect(end).toMatchObject({ outcome: 'sent' });
    expect(await page.until('auto-answer', ({ answers }) => answers === 1)).toMatchObject({ on: true, tokens: 18 });

    await page.ask('set-auto-answer', { connection, on: false });
    const second = await call('taste');
    await page.until('question', (event) => event.question === second.question);
    expect(fake.asked).toHaveLength(1);
    expect(other.page.events.some(({ type }) => type === 'auto-answer')).toBe(false);
  });

  it("leave to the user what the model can't answer", async () => {
    const fake = await modelService(() => ({ status: 500, body: '{}' }));
    const { page, connection, call, result } = await opened();
    await setUp(page, fake);
    await page.ask('set-auto-answer', { connection, on: true });
    const { call: id, question } = await call('taste');
    await page.until('model-end', ({ outcome }) => outcome === 'failed');
    await page.ask('answer', {
      question,
      answer: { role: 'assistant', model: 'by-hand', content: { type: 'text', text: 'Mine' } },
    });
    expect(await result(id)).toContain('Mine');
  });

  it('ignore questions of a view', async () => {
    const fake = await modelService(() => anthropicText('x'));
    const { page, connection } = await opened();
    await setUp(page, fake);
    await page.ask('set-auto-answer', { connection, on: true });
    const messages = [{ role: 'user', content: { type: 'text', text: 'From a view' } }];
    const { call } = await page.ask('sample', { connection, params: { messages, maxTokens: 9 } });
    const { question } = await page.until('question', (event) => event.call === call);
    expect(page.events.some(({ type }) => type === 'model-ask')).toBe(false);
    expect(await ended(page, (await page.ask('ask-model', { question })).ask)).toMatchObject({ outcome: 'drafted' });
  });

  it('ignore forms', async () => {
    const fake = await modelService(() => anthropicText('x'));
    const { page, connection, call } = await opened();
    await setUp(page, fake);
    await page.ask('set-auto-answer', { connection, on: true });
    const { question } = await call('ask');
    await expect(page.ask('ask-model', { question })).rejects.toThrow('not for a model');
    expect(fake.asked).toEqual([]);
  });

  it('are limited per minute, and the next question waits for the user', async () => {
    const fake = await modelService(() => anthropicText('x'));
    const { page, connection, call, result } = await opened();
    await setUp(page, fake);
    await page.ask('set-auto-answer', { connection, on: true });
    const most = 10;
    for (let count = 0; count < most; count += 1) await result((await call('taste')).call);
    await call('taste');
    const { message } = await page.until('auto-answer', (event) => event.message !== undefined);
    expect(message).toContain(`answered ${most} questions automatically within a minute`);
    expect(fake.asked).toHaveLength(most);
  });

  it('respect the limit under many questions at once', async () => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const fake = await modelService(async () => {
      await held;
      return anthropicText('x');
    });
    const { page, connection, call } = await opened();
    await setUp(page, fake);
    await page.ask('set-auto-answer', { connection, on: true });
    const most = 10;
    await Promise.all(Array.from({ length: most + 5 }, () => call('taste')));
    letGo();
    await page.until('auto-answer', ({ answers }) => answers === most);
    expect(page.events.filter(({ type }) => type === 'model-ask')).toHaveLength(most);
  });

  it('are switched off before a question that would cost too much', async () => {
    const fake = await modelService(() => anthropicText('x'));
    const { page, connection, call } = await opened();
    await setUp(page, fake);
    await page.ask('set-auto-answer', { connection, on: true });
    await call('flood');
    expect(await page.until('auto-answer', ({ on }) => !on)).toMatchObject({
      message: expect.stringContaining('tokens'),
    });
    expect(fake.asked).toEqual([]);
  });

  it.each(['reconnect', 'disconnect'] as const)('is off after %s, and with another model', async (how) => {
    const fake = await modelService(() => anthropicText('x'));
    const { page, connection } = await opened();
    await expect(page.ask('set-auto-answer', { connection, on: true })).rejects.toThrow('No model');
    await setUp(page, fake);
    await page.ask('set-auto-answer', { connection, on: true });
    await setUp(page, fake);
    await page.until('auto-answer', ({ on }) => !on);
    await page.ask('set-auto-answer', { connection, on: true });
    const { n } = await page.until('auto-answer', ({ n: each, on }) => on && each > 0);
    await page.ask(how, { connection });
    await page.until('auto-answer', (event) => !event.on && event.n > n);
  });
});

describe('a model with a key', () => {
  it('is off until it is set up', async () => {
    const { page, call } = await opened();
    const { question } = await call('taste');
    await expect(page.ask('ask-model', { question })).rejects.toThrow('No model');
    expect(page.events.some(({ type }) => type === 'model' || type === 'model-ask')).toBe(false);
  });

  it('cannot be set up without the token of the page', async () => {
    const fake = await modelService(() => anthropicText('x'));
    const page = await openPage();
    const body = JSON.stringify({ service: 'anthropic', url: fake.url, model: 'm', key });
    const post = (headers: Record<string, string>) =>
      fetch(`${page.origin}/api/set-up-model`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body,
      });
    expect((await post({})).status).toBe(401);
    expect((await post({ Authorization: 'Bearer x' })).status).toBe(401);
    const own = { Authorization: `Bearer ${page.token}` };
    expect((await post({ ...own, Origin: 'http://evil.example' })).status).toBe(403);
    expect(page.events.some(({ type }) => type === 'model')).toBe(false);
  });

  it.each([
    ['a word of its own', 'http://models.example/v1'],
    ['another machine over http', 'http://192.168.0.7:11434'],
    ['a name that begins like this machine', 'http://localhost.evil.example/'],
    ['a file', 'file:///etc/passwd'],
    ['a name and password', 'https://me:secret@models.example'],
    ['a query', 'https://models.example/v1?to=x'],
    ['no address', 'models'],
  ])('is not sent to %s', async (_, url) => {
    const page = await openPage();
    await expect(page.ask('set-up-model', { service: 'openai', model: 'm', key, url })).rejects.toThrow(
      /Only https|name or password|\? or #|Invalid service URL/,
    );
    expect(page.events.some(({ type }) => type === 'model')).toBe(false);
  });

  it.each(['two words', 'line\nbreak', 'quo"te', 'ümlaut'])('rejects an invalid key: %j', async (wrong) => {
    const page = await openPage();
    const setting = page.ask('set-up-model', { service: 'openai', model: 'm', key: wrong });
    await expect(setting).rejects.toThrow('Invalid key');
    await expect(setting).rejects.not.toThrow(wrong);
  });

  it('uses the default URL if none is given', async () => {
    const page = await openPage();
    await page.ask('set-up-model', { service: 'anthropic', model: 'm', key });
    const { model } = await page.until('model');
    expect(model).toMatchObject({ url: defaultUrls.anthropic, endpoint: 'https://api.anthropic.com/v1/messages' });
    await page.ask('set-up-model', { service: 'openai', model: 'm', key });
    const second = await page.until('model', (event) => event.model?.service === 'openai');
    expect(second.model?.endpoint).toBe('https://api.openai.com/v1/chat/completions');
  });

  it('keeps the key for another model at the same URL only', async () => {
    const fake = await modelService(() => openaiText('x'));
    const other = await modelService(() => openaiText('x'));
    const { page, call } = await opened();
    await setUp(page, fake, 'openai');
    const { question } = await call('taste');
    await page.ask('set-up-model', { service: 'openai', model: 'another', url: fake.url });
    await ended(page, (await page.ask('ask-model', { question })).ask);
    await page.ask('set-up-model', { service: 'openai', model: 'another', url: other.url });
    await ended(page, (await page.ask('ask-model', { question })).ask);
    expect(fake.asked[0]?.headers.authorization).toBe(`Bearer ${key}`);
    expect(other.asked[0]?.headers.authorization).toBeUndefined();
    await page.ask('forget-model', {});
    await expect(page.ask('ask-model', { question })).rejects.toThrow('No model');
  });

  it('never exposes the key: page, recording, HAR and server see none, even if the service echoes it', async () => {
    const echo = (text: string): ModelReply => ({
      headers: { 'Content-Type': 'application/json', 'X-Echo': key },
      body: { content: [{ type: 'text', text }], model: key, stop_reason: 'end_turn' },
    });
    let isBroken = false;
    const fake = await modelService(() =>
      isBroken ? { status: 401, body: { error: { message: `wrong key ${key}` } } } : echo(`Your key is ${key}`),
    );
    const folder = mkdtempSync(join(tmpdir(), 'ccmcp-model-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    const { page, connection, call, result } = await opened({ folder });
    const { file } = await page.ask('record', {});
    await setUp(page, fake);
    await page.ask('set-auto-answer', { connection, on: true });
    expect(await result((await call('taste')).call)).toContain('Your key is [masked]');
    await page.ask('set-auto-answer', { connection, on: false });
    isBroken = true;
    const { question } = await call('taste');
    await ended(page, (await page.ask('ask-model', { question })).ask);
    await page.ask('record-stop', {});
    await page.until('recording', ({ n }) => n > 0);
    const har = await (await page.get('api/har')).text();
    const recorded = readFileSync(join(folder, '.ccmcp', 'recordings', file), 'utf8');
    expect(fake.asked[0]?.headers['x-api-key']).toBe(key);
    for (const text of [JSON.stringify(page.events), har, recorded]) {
      expect(text).toContain('/v1/messages');
      expect(text).not.toContain(key);
    }
  });
});

describe('a malicious server', () => {
  it('cannot cause a request to a model', async () => {
    const fake = await modelService(() => anthropicText('x'));
    const { page, call } = await opened();
    await setUp(page, fake);
    await call('taste');
    await call('cook');
    expect(fake.asked).toEqual([]);
    expect(page.events.some(({ type }) => type === 'model-ask')).toBe(false);
  });
});
