import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { MetaKey } from '../../protocol/meta.ts';
import { createServer, type ServerOptions } from '../../create-server.ts';
import type { Tool } from '../define/define.ts';
import { connectDirect } from '../fixtures/direct-client.ts';
import type { LogEntry } from '../log/log.ts';
import { ToolError } from './tool-error.ts';

interface Called {
  answer: { result?: unknown; error?: { code: number; message: string } } | undefined;
  log: LogEntry[];
}

/** Calls a tool that returns a value, or works one out. */
async function calling(
  value: unknown,
  tool: Partial<Tool> = {},
  options: Partial<ServerOptions> = {},
): Promise<Called> {
  const log: LogEntry[] = [];
  const logger = { level: 'error', write: (entry: LogEntry) => void log.push(entry) } as const;
  const call = (): unknown => (typeof value === 'function' ? value() : value);
  const server = createServer({ name: 'n', version: '1', logger, tools: [{ name: 'it', call, ...tool }], ...options });
  const answer = await connectDirect(server).request('tools/call', { name: 'it' });
  return { answer, log };
}

/** The result without what every result of the stateless era has. */
async function resultOf(value: unknown, tool?: Partial<Tool>): Promise<unknown> {
  const { answer } = await calling(value, tool);
  const { resultType, _meta, ...result } = (answer?.result ?? {}) as Record<string, unknown>;
  const { [MetaKey.serverInfo]: _, ...meta } = _meta as Record<string, unknown>;
  expect(resultType).toBe('complete');
  return Object.keys(meta).length === 0 ? result : { ...result, _meta: meta };
}

const block = (text: string): object => ({ type: 'text', text });
const plain = (text: string): object => ({ content: [block(text)], isError: false });

describe('the return value of a tool without an output schema', () => {
  it.each([
    ['a text', 'hello', plain('hello')],
    ['an empty text', '', plain('')],
    ['a number', 0, plain('0')],
    ['a truth', false, plain('false')],
    ['a big number', 12n, plain('12')],
    ['nothing', undefined, { content: [], isError: false }],
    ['null', null, { content: [], isError: false }],
    ['a symbol', Symbol('x'), { content: [], isError: false }],
    ['a block of content', block('a'), plain('a')],
    ['blocks of content', [block('a'), block('b')], { content: [block('a'), block('b')], isError: false }],
    ['no blocks at all', [], { content: [], isError: false }],
    ['a finished result', { content: [block('a')] }, plain('a')],
    [
      'a finished result that failed',
      { content: [block('a')], isError: true },
      { content: [block('a')], isError: true },
    ],
    ['a finished result whose mark is odd', { content: [block('a')], isError: 'yes' }, plain('a')],
    [
      'a finished result with all there is',
      { content: [], structuredContent: { n: 1 }, isError: false, _meta: { m: 1 } },
      { content: [], structuredContent: { n: 1 }, isError: false, _meta: { m: 1 } },
    ],
  ])('%s', async (_, value, result) => {
    expect(await resultOf(value)).toStrictEqual(result);
    expect(await resultOf(() => Promise.resolve(value))).toStrictEqual(result);
  });

  it.each([
    ['an object', { n: 1 }],
    ['an object with content and more', { content: [block('a')], more: 1 }],
    ['an object whose content is no list', { content: 'a' }],
    ['an object whose content has others in it', { content: [block('a'), 1] }],
    ['a list', [1, 2]],
    ['a list with blocks and others', [block('a'), 1]],
  ])('%s is data: text and structured content', async (_, value) => {
    expect(await resultOf(value)).toStrictEqual({
      content: [block(JSON.stringify(value))],
      structuredContent: value,
      isError: false,
    });
  });
});

describe('the return value of a tool with an output schema', () => {
  const output = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;

  it('is data that fits', async () => {
    expect(await resultOf({ n: 1 }, { output })).toStrictEqual({
      content: [block('{"n":1}')],
      structuredContent: { n: 1 },
      isError: false,
    });
  });

  it('is data also if it is a text, or null', async () => {
    const text = z.string() as never;
    expect(await resultOf('hi', { output: text })).toMatchObject({ content: [block('"hi"')], structuredContent: 'hi' });
    expect(await resultOf(undefined, { output: z.null() as never })).toMatchObject({
      content: [block('null')],
      structuredContent: null,
    });
  });

  it('may be a finished result with structured content that fits', async () => {
    const finished = { content: [block('one')], structuredContent: { n: 1 } };
    expect(await resultOf(finished, { output })).toStrictEqual({ ...finished, isError: false });
  });

  it('may be a finished result that failed, without structured content', async () => {
    const failed = { content: [block('no')], isError: true };
    expect(await resultOf(failed, { output })).toStrictEqual(failed);
  });

  it.each([
    ['does not fit', { n: 'one' }, /^n: expected number, got string$/],
    [
      'is finished but does not fit',
      { content: [], structuredContent: { n: 'one' } },
      /^n: expected number, got string$/,
    ],
    ['is finished without structured content', { content: [block('one')] }, /^it has no structured content$/],
  ])('is an error of the author if it %s', async (_, value, cause) => {
    for (const returned of [value, () => Promise.resolve(value)]) {
      const { answer, log } = await calling(returned, { output });
      const message = 'Tool "it" returned a result that breaks its output schema';
      expect(answer?.error).toEqual({ code: -32603, message });
      expect(log).toMatchObject([{ level: 'error', data: message, error: { message: expect.stringMatching(cause) } }]);
    }
  });

  it('is transformed by the schema', async () => {
    const kept = z.object({ n: z.number() });
    expect(await resultOf({ n: 1, more: 2 }, { output: kept as never })).toHaveProperty('structuredContent', { n: 1 });
  });

  it('may be checked later', async () => {
    const later = z.object({ n: z.number() }).refine(async ({ n }) => n < 10, 'n is too much');
    expect(await resultOf({ n: 1 }, { output: later as never })).toMatchObject({ structuredContent: { n: 1 } });
    const { answer, log } = await calling({ n: 11 }, { output: later as never });
    expect(answer?.error).toMatchObject({ code: -32603 });
    expect(log).toMatchObject([{ error: { message: expect.stringContaining('n is too much') } }]);
  });
});

describe('a tool that throws', () => {
  const thrower = (error: unknown) => (): never => {
    throw error;
  };

  it('passes the message of a ToolError to the model', async () => {
    const error = new ToolError('No such note');
    expect(error.name).toBe('ToolError');
    expect(await resultOf(thrower(error))).toStrictEqual({ content: [block('No such note')], isError: true });
    const content = [{ type: 'text', text: 'a' } as const];
    expect(await resultOf(thrower(new ToolError('x', content)))).toStrictEqual({ content, isError: true });
  });

  it('hides unexpected errors from the model, and logs them', async () => {
    const error = new Error('secret');
    for (const value of [thrower(error), () => Promise.reject(error)]) {
      const { answer, log } = await calling(value);
      expect(answer?.result).toMatchObject({ content: [block('Tool "it" failed unexpectedly')], isError: true });
      expect(log).toEqual([{ level: 'error', logger: 'n', data: 'Tool "it" failed unexpectedly', error }]);
    }
  });

  it('fails the request with exceptions: protocol-error', async () => {
    const { answer } = await calling(thrower(new Error('secret')), {}, { exceptions: 'protocol-error' });
    expect(answer?.error).toEqual({ code: -32603, message: 'Tool "it" failed unexpectedly' });
  });

  it('is not logged when its call is over', async () => {
    const log: LogEntry[] = [];
    const logger = { level: 'error', write: (entry: LogEntry) => void log.push(entry) } as const;
    let fail: (error: unknown) => void = () => {};
    const call = (): Promise<never> => new Promise((_, reject) => (fail = reject));
    const client = connectDirect(createServer({ name: 'n', version: '1', logger, tools: [{ name: 'it', call }] }));
    const answer = client.request('tools/call', { name: 'it' }, 1);
    client.peer.running.get(1)?.cancel();
    fail(new Error('aborted'));
    expect(await answer).toBeUndefined();
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual([]);
  });
});

it('a tool that answers at once is answered at once', () => {
  const server = createServer({ name: 'n', version: '1', tools: [{ name: 'it', call: () => 'now' }] });
  expect(connectDirect(server).request('tools/call', { name: 'it' })).toMatchObject({
    result: { content: [block('now')] },
  });
});

describe('a call that is not right', () => {
  const input = z.object({ n: z.number() }).refine(async ({ n }) => n < 10, 'n is too much') as never;
  const ask = async (params: object, more: Partial<Tool> = {}, options: Partial<ServerOptions> = {}) => {
    const server = createServer({
      name: 'n',
      version: '1',
      tools: [{ name: 'it', call: () => 'fine', ...more }],
      ...options,
    });
    return connectDirect(server).request('tools/call', params as never);
  };

  it('names the problems', async () => {
    expect(await ask({})).toMatchObject({ error: { message: '"name" must be a string: the tool to call' } });
    expect(await ask({ name: 'other' })).toMatchObject({ error: { code: -32602, message: 'Unknown tool: other' } });
    expect(await ask({ name: 'it', arguments: [] })).toMatchObject({
      error: { code: -32602, message: '"arguments" must be an object' },
    });
  });

  it('reports unexpected arguments of a tool without any', async () => {
    const text = 'Invalid arguments for tool "it": unknown property "a": this tool takes no arguments';
    const answer = await ask({ name: 'it', arguments: { a: 1 } });
    expect(answer?.result).toMatchObject({ content: [block(text)], isError: true });
    const strict = await ask({ name: 'it', arguments: { a: 1 } }, {}, { invalidArguments: 'protocol-error' });
    expect(strict?.error).toEqual({ code: -32602, message: text });
  });

  it('may be found wrong later', async () => {
    const fine = await ask({ name: 'it', arguments: { n: 1 } }, { input });
    expect(fine?.result).toMatchObject({ content: [block('fine')] });
    const wrong = await ask({ name: 'it', arguments: { n: 11 } }, { input });
    expect(wrong?.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('n is too much') }],
    });
  });
});
