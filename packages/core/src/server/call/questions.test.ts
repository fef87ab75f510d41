import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { McpClient } from '../../../../../test/support/mcp-client.ts';
import { memoryWire } from '../../../../../test/support/wires.ts';
import { tool } from '../define/define.ts';
import type { Context } from './context.ts';
import { createServer, type ServerOptions } from '../../create-server.ts';
import { type DirectClientOptions, connectDirect, textOf } from '../fixtures/direct-client.ts';
import { Suspended } from './questions.ts';
import { replaceable } from '../replaceable.ts';
import type { Server } from '../server.ts';

const nameForm = { type: 'object', properties: { name: { type: 'string' } } } as const;

describe('a question to a handshake client', () => {
  it('times out and is cancelled without an answer (S-V-14)', async () => {
    const server = createServer({
      name: 'asking',
      version: '1',
      questionTimeoutMs: 20,
      tools: [tool('ask', {}, async (_, { elicit }) => (await elicit({ message: 'Who?', schema: nameForm })).action)],
    });
    const client = new McpClient(memoryWire(server), { version: '2025-11-25', capabilities: { elicitation: {} } });
    await client.initialize();
    const { error } = await client.sendRequest('tools/call', { name: 'ask' });
    expect(error?.message).toBe('The client did not answer "elicitation/create" within 0.02 seconds');
    const asked = client.received.find(({ method }) => method === 'elicitation/create');
    const { params } = await client.readNotification('notifications/cancelled');
    expect(params).toEqual({ requestId: asked?.id });
  });

  it('is taken back when the call is over without it', async () => {
    const server = createServer({
      name: 'asking',
      version: '1',
      tools: [
        tool('ask', {}, async (_, { elicit, roots }) => {
          await Promise.all([elicit({ message: 'Who?', schema: nameForm }), roots()]);
        }),
      ],
    });
    const client = new McpClient(memoryWire(server), { version: '2025-11-25', capabilities: { elicitation: {} } });
    await client.initialize();
    const { error } = await client.sendRequest('tools/call', { name: 'ask' });
    expect(error?.code).toBe(-32021);
    await client.readNotification('notifications/cancelled');
  });
});

describe('a question in the form of another library', () => {
  it.each<[string, (context: Context) => Promise<unknown>, string]>([
    ['a bare text', ({ elicit }) => elicit('Who?' as never), 'write elicit({ message: "…", schema: … })'],
    [
      'requestedSchema',
      ({ elicit }) => elicit({ message: 'Who?', requestedSchema: nameForm } as never),
      'write elicit({ message: "…", schema: … })',
    ],
    [
      'a bare text for the model',
      ({ sample }) => sample('Who?' as never),
      'write sample({ messages: "…", maxTokens: 100 })',
    ],
  ])('is rejected with advice: %s', async (_, ask, words) => {
    const call = (_: never, context: Context): Promise<string> => ask(context).then(String, String);
    const server = createServer({ name: 'asking', version: '1', tools: [{ name: 'ask', call }] });
    const client = new McpClient(memoryWire(server), { version: '2025-11-25', capabilities: all });
    await client.initialize();
    const { result } = await client.sendRequest('tools/call', { name: 'ask' });
    expect(result).toMatchObject({ content: [{ text: expect.stringContaining(words) }] });
  });
});

const all = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

/** A server with one tool that asks what the test wants, and returns the answer as JSON. */
function asking(ask: (context: Context) => Promise<unknown>, options: Partial<ServerOptions> = {}): Server {
  const call = async (_: never, context: Context): Promise<string> => JSON.stringify(await ask(context));
  return createServer({ name: 'asking', version: '1', tools: [{ name: 'ask', call }], ...options });
}

/** The answer that the tool got, or its error, for a client of either era. */
async function got(
  ask: (context: Context) => Promise<unknown>,
  answer: unknown,
  { version = '2025-11-25', capabilities = all }: { version?: string; capabilities?: object } = {},
): Promise<unknown> {
  const options = { version, capabilities: capabilities as never, answer: () => answer };
  const client = new McpClient(memoryWire(asking(ask)), options);
  await client.initialize();
  return client.request('tools/call', { name: 'ask' }).then(
    (result) => (result.content[0] === undefined ? result : JSON.parse(result.content[0].text)),
    ({ code, message, data }) => ({ code, message, data }),
  );
}

const malformed = (method: string, expected: string): object => ({
  code: -32602,
  message: `Malformed answer to "${method}": ${expected} is expected`,
  data: undefined,
});

describe.each(['2025-11-25', '2026-07-28'])('questions to a client, in %s', (version) => {
  const form = ({ elicit }: Context): Promise<unknown> => elicit({ message: 'Who?', schema: nameForm });
  const page = ({ elicit }: Context): Promise<unknown> => elicit({ message: 'Look', url: 'https://a.example' });
  const word = ({ sample }: Context): Promise<unknown> => sample({ messages: 'A word', maxTokens: 1 });
  const folders = ({ roots }: Context): Promise<unknown> => roots();
  const get = (ask: (context: Context) => Promise<unknown>, answer: unknown): Promise<unknown> =>
    got(ask, answer, { version });

  it("a form: its contents, or the user's refusal", async () => {
    expect(await get(form, { action: 'accept', content: { name: 'Ada' } })).toEqual({
      action: 'accept',
      content: { name: 'Ada' },
    });
    expect(await get(form, { action: 'accept' })).toEqual({ action: 'accept', content: {} });
    expect(await get(form, { action: 'decline', content: { name: 'Ada' } })).toEqual({ action: 'decline' });
    expect(await get(form, { action: 'cancel' })).toEqual({ action: 'cancel' });
    expect(await get(form, { action: 'other' })).toEqual(
      malformed('elicitation/create', 'an object with the action "accept", "decline" or "cancel"'),
    );
    expect(await get(form, { action: 'accept', content: { name: 7 } })).toEqual({
      code: -32602,
      message: 'The form was not filled in as asked: name: expected string, got number',
      data: undefined,
    });
  });

  it('a page: that it was looked at, or not', async () => {
    expect(await get(page, { action: 'accept', content: { name: 'Ada' } })).toEqual({ action: 'accept' });
    expect(await get(page, { action: 'decline' })).toEqual({ action: 'decline' });
    const answered = ({ elicit }: Context): Promise<unknown> =>
      elicit({ message: 'Look', url: 'https://a.example' }).then((answer) => Object.keys(answer));
    expect(await get(answered, { action: 'accept' })).toEqual(['action', 'content']);
    expect(await get(answered, { action: 'cancel' })).toEqual(['action']);
  });

  it('a model: its answer, always as a list', async () => {
    const text = { type: 'text', text: 'hm' };
    const fine = { role: 'assistant', content: text, model: 'm' };
    const expected = malformed('sampling/createMessage', 'an object with role, content and model');
    expect(await get(word, fine)).toEqual({ ...fine, content: [text] });
    expect(await get(word, { ...fine, role: 'user' })).toEqual({ ...fine, role: 'user', content: [text] });
    expect(await get(word, { ...fine, content: [text, text], stopReason: 'endTurn' })).toEqual({
      ...fine,
      content: [text, text],
      stopReason: 'endTurn',
    });
    const keys = (context: Context): Promise<unknown> => word(context).then((answer) => Object.keys(answer as object));
    expect(await get(keys, { ...fine, stopReason: 7 })).toEqual(['role', 'content', 'model']);
    for (const wrong of [{ role: 'system' }, { model: 7 }, { content: 'hm' }, { content: [text, 'hm'] }]) {
      expect(await get(word, { ...fine, ...wrong })).toEqual(expected);
    }
  });

  it('folders: those it works in', async () => {
    const expected = malformed('roots/list', 'an object with a list of roots');
    expect(await get(folders, { roots: [{ uri: 'file:///a', name: 'a' }] })).toEqual([{ uri: 'file:///a', name: 'a' }]);
    expect(await get(folders, { roots: [] })).toEqual([]);
    for (const roots of [undefined, 'file:///a', [{ uri: 7 }], [{ uri: 'file:///a' }, 'b']]) {
      expect(await get(folders, { roots })).toEqual(expected);
    }
  });

  it.each([
    ['elicitation by form', form, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    ['elicitation by URL', page, { elicitation: {} }, { elicitation: { url: {} } }],
    ['sampling', word, { roots: {} }, { sampling: {} }],
    ['roots', folders, { sampling: {} }, { roots: {} }],
    [
      'sampling with tools',
      ({ sample }: Context) => sample({ messages: 'A word', maxTokens: 1, tools: [] }),
      { sampling: {} },
      { sampling: { tools: {} } },
    ],
  ])('are rejected if not declared: %s', async (what, ask, capabilities, requiredCapabilities) => {
    expect(await got(ask, {}, { version, capabilities })).toEqual({
      code: -32021,
      message: `This client did not declare ${what}`,
      data: { requiredCapabilities },
    });
  });
});

describe('a form', () => {
  /** The schema as the client is asked, or the error. */
  const asked = async (schema: object): Promise<unknown> => {
    const server = asking(({ elicit }) => elicit({ message: 'Who?', schema: schema as never }), {
      logger: { level: 'emergency', write: () => {} },
    });
    const { request } = connectDirect(server, { capabilities: all });
    const answer = await request('tools/call', { name: 'ask' });
    return answer?.result.inputRequests?.['input-1'].params.requestedSchema ?? textOf(answer);
  };

  it('is asked flat, with an object around, and without what hosts do not know', async () => {
    const properties = {
      a: { type: 'string' },
      b: { type: 'number' },
      c: { type: 'integer' },
      d: { type: 'boolean' },
      e: { type: 'array', items: { enum: ['x'] } },
      f: { type: 'array', items: { anyOf: [{ const: 'x' }] } },
    };
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    expect(await asked({ $schema, type: 'object', properties, required: ['a'], additionalProperties: false })).toEqual({
      type: 'object',
      properties,
      required: ['a'],
    });
    expect(await asked({})).toStrictEqual({ type: 'object', properties: {} });
    expect(await asked(z.object({ name: z.string().default('Ada') }))).toEqual({
      type: 'object',
      properties: { name: { type: 'string', default: 'Ada' } },
    });
  });

  it.each([
    [{ type: 'object' }],
    [{ type: 'null' }],
    [{}],
    [{ type: 'array' }],
    [{ type: 'array', items: true }],
    [{ type: 'array', items: { type: 'string' } }],
    [true],
  ])('has no field of the kind %j', async (property) => {
    const failed = 'Tool "ask" failed unexpectedly';
    expect(await asked({ type: 'object', properties: { fine: { type: 'string' }, odd: property } })).toBe(failed);
  });

  it('that can not be asked names its field in the log', async () => {
    const log: unknown[] = [];
    const server = asking(
      ({ elicit }) => elicit({ message: 'Who?', schema: { type: 'object', properties: { odd: {} } } as never }),
      { logger: { level: 'error', write: ({ error }) => void log.push((error as Error).message) } },
    );
    await connectDirect(server, { capabilities: all }).request('tools/call', { name: 'ask' });
    expect(log).toEqual([`A form's "odd" must be a string, number, integer, boolean or a choice, without nesting`]);
  });
});

describe('a client that can not be asked on the spot', () => {
  const roots = asking(({ roots: ask }) => ask());

  it.each<[string, (context: Context) => Promise<unknown>, object]>([
    ['roots/list', (context) => context.roots(), { roots: {} }],
    ['sampling/createMessage', ({ sample }) => sample({ messages: 'A word', maxTokens: 1 }), { sampling: {} }],
    ['elicitation/create', ({ elicit }) => elicit({ message: 'Who?', schema: nameForm }), { elicitation: {} }],
  ])('is not asked %s in the handshake era', async (method, question, requiredCapabilities) => {
    const { request } = connectDirect(asking(question), { version: '2025-11-25', capabilities: all });
    expect((await request('tools/call', { name: 'ask' }))?.error).toEqual({
      code: -32021,
      message: `This client did not declare "${method}" on this connection`,
      data: { requiredCapabilities },
    });
  });

  it('is not asked what its revision does not know', async () => {
    const form = asking(({ elicit }) => elicit({ message: 'Who?', schema: nameForm }));
    const { request } = connectDirect(form, { version: '2024-11-05', capabilities: all, ask: async () => ({}) });
    expect((await request('tools/call', { name: 'ask' }))?.error).toEqual({
      code: -32021,
      message: 'This client did not declare "elicitation/create"',
      data: { requiredCapabilities: { elicitation: {} } },
    });
  });

  it('gets the questions as the result, all that are asked together', async () => {
    const both = asking(({ roots: ask, elicit }) =>
      Promise.all([ask(), elicit({ key: 'who', message: 'Who?', schema: nameForm }), ask({ key: 'again' }), ask()]),
    );
    const { request } = connectDirect(both, { capabilities: all });
    const answer = await request('tools/call', { name: 'ask' });
    expect(answer?.result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    expect(answer?.result.inputRequests).toStrictEqual({
      'input-1': { method: 'roots/list' },
      who: {
        method: 'elicitation/create',
        params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: nameForm.properties } },
      },
      again: { method: 'roots/list' },
      'input-4': { method: 'roots/list' },
    });
  });

  it('answers with objects', async () => {
    const { request } = connectDirect(roots, { capabilities: all });
    expect((await request('tools/call', { name: 'ask', inputResponses: { 'input-1': 7 } }))?.error).toEqual({
      code: -32602,
      message: 'Malformed answer to "roots/list": an object is expected',
    });
  });

  it('keeps its answers over the rounds', async () => {
    const rounds = asking(async ({ roots: ask }) => [await ask(), await ask(), await ask()]);
    const { request } = connectDirect(rounds, { capabilities: all });
    let more: Record<string, unknown> = {};
    for (const round of [1, 2, 3]) {
      const { result } = (await request('tools/call', { name: 'ask', ...more })) as { result: Record<string, unknown> };
      expect(Object.keys(result.inputRequests as object)).toEqual([`input-${round}`]);
      const inputResponses = { [`input-${round}`]: { roots: [{ uri: `file:///${round}` }] } };
      more = { requestState: result.requestState, inputResponses };
    }
    const last = await request('tools/call', { name: 'ask', ...more });
    expect(JSON.parse(textOf(last) ?? '')).toEqual([1, 2, 3].map((round) => [{ uri: `file:///${round}` }]));
  });

  it('gets no notification when it cancels in the same tick', async () => {
    const stopped: unknown[] = [];
    const server = asking(({ roots: ask, signal }) => {
      signal.addEventListener('abort', () => stopped.push((signal.reason as Error).message));
      return ask().finally(() => stopped.push('cleaned up'));
    });
    const { request, peer } = connectDirect(server, { capabilities: all });
    const answer = request('tools/call', { name: 'ask' }, 1);
    peer.running.get(1)?.cancel();
    expect(await answer).toBeUndefined();
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toEqual(['The request was cancelled', 'cleaned up']);
  });

  it('leaves a handler that gets an error that says why it stops', async () => {
    const reasons: unknown[] = [];
    const server = asking(async ({ roots: ask, signal }) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason));
      return ask().catch((error: unknown) => {
        reasons.push(error);
        throw error;
      });
    });
    const { request } = connectDirect(server, { capabilities: all });
    expect((await request('tools/call', { name: 'ask' }))?.result.resultType).toBe('input_required');
    await new Promise((resolve) => setImmediate(resolve));
    expect(reasons).toHaveLength(2);
    for (const reason of reasons) {
      expect(reason).toBeInstanceOf(Suspended);
      expect(reason).toMatchObject({
        name: 'Suspended',
        message: 'The call waits for input of the client and is run again when that arrives',
      });
    }
  });

  it('is rejected if its answers can not be signed', async () => {
    const log: unknown[] = [];
    const logger = { level: 'error', write: ({ error }: { error?: unknown }) => void log.push(error) } as const;
    const circle: Record<string, unknown> = { roots: [] };
    circle.self = circle;
    const { request } = connectDirect(
      asking(async ({ roots: each }) => [await each(), await each()], { logger }),
      { capabilities: all },
    );
    const answer = await request('tools/call', { name: 'ask', inputResponses: { 'input-1': circle } });
    expect(answer?.error).toEqual({ code: -32603, message: 'Internal error' });
    expect(log).toEqual([expect.any(TypeError)]);
  });
});

describe.each(['2025-11-25', '2026-07-28'])('a handler that asks when its call is over, in %s', (version) => {
  it('is configured so, and no client is asked', async () => {
    const asked: string[] = [];
    const seen: unknown[] = [];
    let cancelled: () => void = () => {};
    const waiting = new Promise<void>((resolve) => (cancelled = resolve));
    const server = asking(async ({ roots }) => {
      await waiting;
      return roots().catch((error: unknown) => seen.push(error));
    });
    const client = connectDirect(server, {
      version,
      capabilities: all,
      ask: async (method) => (asked.push(method), { roots: [] }),
    });
    const answer = client.request('tools/call', { name: 'ask' }, 'x');
    await new Promise((resolve) => setImmediate(resolve));
    client.peer.running.get('x')?.cancel();
    cancelled();
    expect(await answer).toBeUndefined();
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toMatchObject([{ name: 'AbortError', message: 'The request is over' }]);
    expect(asked).toEqual([]);
  });
});

it('a question that was answered leaves no timer behind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = asking(({ roots }) => roots());
  const options = { version: '2025-11-25', capabilities: all, ask: async () => ({ roots: [] }) };
  expect(textOf(await connectDirect(server, options).request('tools/call', { name: 'ask' }))).toBe('[]');
  expect(vi.getTimerCount()).toBe(0);
});

describe('the state of a suspended call', () => {
  const server = createServer({
    name: 'asking',
    version: '1',
    tools: ['ask', 'other'].map((name) => ({
      name,
      input: { type: 'object', properties: { a: {} } },
      call: async (_: never, { roots }: Context) => (await roots()).length.toString(),
    })),
  });
  const answered = { inputResponses: { 'input-1': { roots: [] } } };
  const suspend = async (params: object, options: DirectClientOptions = {}): Promise<string> => {
    const answer = await connectDirect(server, { capabilities: all, ...options }).request(
      'tools/call',
      params as never,
    );
    return answer?.result.requestState;
  };
  const resume = async (params: object, options: DirectClientOptions = {}): Promise<string | undefined> => {
    const client = connectDirect(server, { capabilities: all, ...options });
    const answer = await client.request('tools/call', { ...params, ...answered });
    return answer?.error?.message ?? textOf(answer);
  };
  const other = '"requestState" belongs to another request';

  it('belongs to its request, whatever order its arguments are in', async () => {
    const requestState = await suspend({ name: 'ask', arguments: { a: { x: 1, y: [1, { z: 2 }] } } });
    expect(await resume({ requestState, arguments: { a: { y: [1, { z: 2 }], x: 1 } }, name: 'ask' })).toBe('0');
    expect(await resume({ requestState, arguments: { a: { x: 1, y: [{ z: 2 }, 1] } }, name: 'ask' })).toBe(other);
    expect(await resume({ requestState, arguments: { a: { x: 1, y: [1, { z: 3 }] } }, name: 'ask' })).toBe(other);
    expect(await resume({ requestState, arguments: { a: { x: 1, y: [1, { z: 2 }] } }, name: 'other' })).toBe(other);
    expect(await resume({ requestState, name: 'ask' })).toBe(other);
  });

  it('distinguishes lists from similar objects', async () => {
    const list = await suspend({ name: 'ask', arguments: { a: ['object', ['x', 1]] } });
    expect(await resume({ name: 'ask', arguments: { a: { x: 1 } }, requestState: list })).toBe(other);
    const object = await suspend({ name: 'ask', arguments: { a: {} } });
    expect(await resume({ name: 'ask', arguments: { a: [] }, requestState: object })).toBe(other);
    expect(await resume({ name: 'ask', arguments: { a: ['object'] }, requestState: object })).toBe(other);
  });

  it('belongs to its caller', async () => {
    const ann = { auth: { principal: 'ann' } };
    const requestState = await suspend({ name: 'ask' }, ann);
    expect(await resume({ name: 'ask', requestState }, ann)).toBe('0');
    expect(await resume({ name: 'ask', requestState }, { auth: { principal: 'bob' } })).toBe(other);
    expect(await resume({ name: 'ask', requestState })).toBe(other);
  });

  it('is accepted only unchanged', async () => {
    const state = await suspend({ name: 'ask' });
    const [version, body = '', mac = ''] = state.split('.');
    expect(version).toBe('v1');
    const forged = '"requestState" is not one that this server gave out, or it was changed';
    const changed = `${body.slice(0, -1)}${body.endsWith('A') ? 'B' : 'A'}`;
    for (const wrong of [
      '',
      '.',
      mac,
      `v1.${mac}`,
      `v1.${changed}.${mac}`,
      `v1.${body}.${mac}=`,
      `${body}.${mac}`,
      `v2.${body}.${mac}`,
    ]) {
      expect(await resume({ name: 'ask', requestState: wrong })).toBe(forged);
    }
    expect(await resume({ name: 'ask', requestState: 7 })).toBe('"requestState" must be a string');
    expect(await resume({ name: 'ask', requestState: state })).toBe('0');
  });

  it('is taken by every instance that has the same secret, and by no other', async () => {
    const instance = (fill?: number): Server =>
      asking(({ roots }) => roots(), fill === undefined ? {} : { stateSecret: new Uint8Array(32).fill(fill) });
    const pass = async (from: Server, to: Server): Promise<string | undefined> => {
      const first = await connectDirect(from, { capabilities: all }).request('tools/call', { name: 'ask' });
      const params = { name: 'ask', requestState: first?.result.requestState, ...answered };
      const second = await connectDirect(to, { capabilities: all }).request('tools/call', params);
      return second?.error === undefined ? textOf(second) : 'refused';
    };
    expect(await pass(instance(1), instance(1))).toBe('[]');
    expect(await pass(instance(1), instance(2))).toBe('refused');
    expect(await pass(instance(), instance())).toBe('refused');
  });

  it('is taken with a former secret for as long as that is listed (RS-07)', async () => {
    const instance = (...fills: number[]): Server =>
      asking(({ roots }) => roots(), { stateSecret: fills.map((fill) => new Uint8Array(32).fill(fill)) });
    const stateOf = async (server: Server): Promise<string> =>
      (await connectDirect(server, { capabilities: all }).request('tools/call', { name: 'ask' }))?.result.requestState;
    const take = async (server: Server, requestState: string): Promise<string | undefined> => {
      const params = { name: 'ask', requestState, ...answered };
      const answer = await connectDirect(server, { capabilities: all }).request('tools/call', params);
      return answer?.error?.message ?? textOf(answer);
    };
    const [before, during, after] = [instance(1), instance(2, 1), instance(2)];
    const [old, young] = [await stateOf(before), await stateOf(during)];
    expect(await take(during, old)).toBe('[]');
    expect(await take(during, young)).toBe('[]');
    expect(await take(after, young)).toBe('[]');
    expect(await take(after, old)).toMatch(/^"requestState" is not one that this server gave out/);
    expect(await take(before, young)).toMatch(/^"requestState" is not one that this server gave out/);
  });

  it('is accepted again by default: a response may have been lost', async () => {
    const { request } = connectDirect(
      asking(({ roots }) => roots()),
      { capabilities: all },
    );
    const requestState = (await request('tools/call', { name: 'ask' }))?.result.requestState;
    for (let each = 0; each < 2; each++) {
      expect(textOf(await request('tools/call', { name: 'ask', requestState, ...answered }))).toBe('[]');
    }
  });

  it('is accepted once with resumeOnce, and not used up by a rejection (RS-06)', async () => {
    let ran = 0;
    const once = tool('once', { resumeOnce: true, input: { type: 'object' } }, async (_, { roots }) => {
      await roots();
      ran += 1;
      return 'done';
    });
    const server = createServer({ name: 'asking', version: '1', tools: [once] });
    const { request } = connectDirect(server, { capabilities: all });
    const stateOf = async (): Promise<string> => (await request('tools/call', { name: 'once' }))?.result.requestState;
    const [state, other] = [await stateOf(), await stateOf()];
    const another = await request('tools/call', {
      name: 'once',
      arguments: { a: 1 },
      requestState: state,
      ...answered,
    });
    expect(another?.error?.message).toBe('"requestState" belongs to another request');

    const params = { name: 'once', requestState: state, ...answered };
    const answers = await Promise.all([1, 2, 3].map(async () => request('tools/call', params)));
    expect(answers.flatMap((answer) => textOf(answer) ?? [])).toEqual(['done']);
    expect(answers.flatMap((answer) => answer?.error?.code ?? [])).toEqual([-32602, -32602]);
    expect((await request('tools/call', params))?.error).toMatchObject({
      code: -32602,
      message: '"requestState" was used before, and this one may be used once: start the request again',
    });
    expect(textOf(await request('tools/call', { ...params, requestState: other }))).toBe('done');
    expect(ran).toBe(2);
  });

  it('that may be used once is not, after the server was replaced', async () => {
    const make = (): Server =>
      createServer({
        name: 'asking',
        version: '1',
        tools: [tool('once', { resumeOnce: true }, async (_, { roots }) => JSON.stringify(await roots()))],
      });
    const current = replaceable(make());
    const { request } = connectDirect(current.server, { capabilities: all });
    const requestState = (await request('tools/call', { name: 'once' }))?.result.requestState;
    expect(textOf(await request('tools/call', { name: 'once', requestState, ...answered }))).toBe('[]');
    current.replace(make());
    expect((await request('tools/call', { name: 'once', requestState, ...answered }))?.error?.code).toBe(-32602);
  });
});
