import { createServer, type Server, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import type { Client, ConnectOptions, FormQuestion, SampleAnswer } from '@ccmcp/core/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clientOf, closeAll, part, pinned, versions } from './fixtures/clients.ts';
import type { RemoteOptions } from './remote-options.ts';

afterEach(closeAll);

const whole = { name: 'gateway', version: '1' };
const form = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] } as const;

/** A server whose tools ask. */
function asking(): Server {
  return createServer({
    name: 'asking',
    version: '1',
    tools: [
      tool('form', { input: { type: 'object', properties: { about: { type: 'string' } } } }, async (args, context) => {
        const { about } = args as { about?: string };
        const first = await context.elicit({ message: `Who are you, ${about}?`, schema: form });
        if (first.action !== 'accept') return `${about}: ${first.action}`;
        const second = await context.elicit({ message: `Sure, ${first.content.answer}?`, schema: form });
        return `${about}: ${first.content.answer}, ${second.content?.answer}`;
      }),
      tool('page', {}, async (_, context) => {
        const { action } = await context.elicit({ message: 'Sign in', url: 'https://example.com/sign-in' });
        return action;
      }),
      tool('model', {}, async (_, context) => {
        const { content, model } = await context.sample({ messages: 'Say hello', maxTokens: 10 });
        return `${model}: ${JSON.stringify(content)}`;
      }),
      tool('folders', {}, async (_, context) => (await context.roots()).map(({ uri }) => uri).join(' ')),
      tool('can', {}, (_, { can }) =>
        (['elicit', 'elicit-url', 'sample', 'sample-tools', 'roots'] as const).filter(can).join(' '),
      ),
      tool('quiet', {}, () => 'nothing to ask'),
    ],
  });
}

const textOf = ({ content }: { content: unknown[] }): string => (content[0] as { text: string }).text;

const answers: ConnectOptions = {
  elicit: ({ message }: FormQuestion) => ({ action: 'accept', content: { answer: message.replace(/\W+/g, '-') } }),
  elicitUrl: ({ url }) => ({ action: url === 'https://example.com/sign-in' ? 'accept' : 'decline' }),
  sample: (): SampleAnswer => ({ role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'm-1' }),
  roots: [{ uri: 'file:///work' }],
};

const cells = versions.flatMap((front) => versions.map((behind) => [front, behind] as const));

describe.each(cells)('questions to a client of %s by an upstream on %s', (front, behind) => {
  const older = front < behind ? front : behind;

  const gateway = async (options: ConnectOptions = answers) => {
    const server = compose({ up: part(asking(), { client: pinned(behind) }) }, whole);
    return clientOf(server, front, options);
  };

  const hasForms = older >= '2025-06-18';
  const hasPages = older >= '2025-11-25';

  it('are forms, one after the other', async () => {
    if (!hasForms) return expect(textOf(await (await gateway()).callTool('can'))).not.toContain('elicit');
    const client = await gateway();
    expect(textOf(await client.callTool('form', { about: 'a' }))).toBe('a: Who-are-you-a-, Sure-Who-are-you-a-');
    const declining = await gateway({ ...answers, elicit: () => ({ action: 'decline' }) });
    expect(textOf(await declining.callTool('form', { about: 'b' }))).toBe('b: decline');
  });

  it('are URL elicitations', async () => {
    if (!hasPages) return expect(textOf(await (await gateway()).callTool('can'))).not.toContain('url');
    const client = await gateway();
    expect(textOf(await client.callTool('page'))).toBe('accept');
  });

  it('are sampling requests', async () => {
    const client = await gateway();
    expect(textOf(await client.callTool('model'))).toBe('m-1: [{"type":"text","text":"hello"}]');
  });

  it('are requests for roots', async () => {
    const client = await gateway();
    expect(textOf(await client.callTool('folders'))).toBe('file:///work');
  });

  it('fail if the client can not answer them', async () => {
    const able = await gateway();
    const all = textOf(await able.callTool('can')).split(' ');
    expect(all).toEqual(expect.arrayContaining(['sample', 'roots']));
    const unable = await gateway({ roots: [] });
    expect(textOf(await unable.callTool('can'))).toBe('roots');
    await expect(unable.callTool('model')).rejects.toMatchObject({
      message: expect.stringContaining('did not declare sampling'),
      data: { requiredCapabilities: { sampling: {} } },
    });
  });

  it('reach the right client, however many call at a time', async () => {
    const server = compose({ up: part(asking(), { client: pinned(behind), maxConnections: 3 }) }, whole);
    const clients = await Promise.all(
      Array.from({ length: 8 }, (_, each) =>
        clientOf(server, front, {
          ...answers,
          roots: [{ uri: `file:///${each}` }],
          sample: () => ({ role: 'assistant', content: { type: 'text', text: String(each) }, model: `m-${each}` }),
        }),
      ),
    );
    const call = async (client: Client, name: string): Promise<string> => textOf(await client.callTool(name));
    const texts = await Promise.all(
      clients.map((client) => Promise.all(['folders', 'quiet', 'model', 'folders'].map((name) => call(client, name)))),
    );
    expect(texts).toEqual(
      clients.map((_, each) => [
        `file:///${each}`,
        'nothing to ask',
        `m-${each}: [{"type":"text","text":"${each}"}]`,
        `file:///${each}`,
      ]),
    );
  });
});

describe('a suspended call of a stateless client', () => {
  const raw = { raw: true };
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
  const accept = (answer: string) => ({ action: 'accept', content: { answer } });

  const suspended = async (options: Partial<RemoteOptions> = {}) => {
    const up = part(asking(), { client: pinned('2025-11-25'), ...options });
    const client = await clientOf(compose({ up }, whole), '2026-07-28', { capabilities });
    const params = { name: 'form', arguments: { about: 'x' } };
    const first = await client.request('tools/call', params, raw);
    const [[key, question]] = Object.entries(first.inputRequests as object) as [[string, object]];
    return { up, client, params, key, question, requestState: first.requestState as string };
  };

  it('continues with the request that brings the answer, question by question', async () => {
    const { up, client, params, key, question, requestState } = await suspended();
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Who are you, x?' } });
    expect(up.status).toMatchObject({ suspendedCalls: 1, activeCalls: 1 });
    const second = await client.request(
      'tools/call',
      { ...params, requestState, inputResponses: { [key]: accept('Ada') } },
      raw,
    );
    const [[next, asked]] = Object.entries(second.inputRequests as object) as [[string, object]];
    expect(asked).toMatchObject({ params: { message: 'Sure, Ada?' } });
    const answers = { [next]: accept('yes') };
    const third = await client.request(
      'tools/call',
      { ...params, requestState: second.requestState, inputResponses: answers },
      raw,
    );
    expect(third).toMatchObject({ resultType: 'complete', content: [{ text: 'x: Ada, yes' }] });
    expect(up.status).toMatchObject({ suspendedCalls: 0, activeCalls: 0 });
  });

  it('repeats an unanswered question', async () => {
    const { client, params, key, requestState } = await suspended();
    const again = await client.request('tools/call', { ...params, requestState, inputResponses: {} }, raw);
    expect(again).toMatchObject({
      resultType: 'input_required',
      inputRequests: { [key]: { method: 'elicitation/create' } },
    });
    const malformed = { ...params, requestState: again.requestState, inputResponses: { [key]: 'yes' } };
    await expect(client.request('tools/call', malformed, raw)).rejects.toThrow('Malformed answer');
    const good = { ...malformed, inputResponses: { [key]: accept('Ada') } };
    expect(await client.request('tools/call', good, raw)).toMatchObject({ resultType: 'input_required' });
  });

  it('accepts an answer once', async () => {
    const { client, params, key, requestState } = await suspended();
    const answer = { ...params, requestState, inputResponses: { [key]: accept('Ada') } };
    await client.request('tools/call', answer, raw);
    // The same state again, while the call waits for the next answer: that one has a state of its own.
    const again = (await client.request('tools/call', answer, raw)) as { inputRequests: object };
    expect(Object.keys(again.inputRequests)).not.toContain(key);
  });

  it('belongs to its request, and can not be continued by others who saw the question', async () => {
    const { up, client, params, key, requestState } = await suspended();
    const inputResponses = { [key]: accept('Eve') };
    const other = { name: 'form', arguments: { about: 'y' }, requestState, inputResponses };
    await expect(client.request('tools/call', other, raw)).rejects.toThrow('"requestState" belongs to another request');
    const flipped = requestState.replace(/.(?=.{9}$)/, (one) => (one === 'A' ? 'B' : 'A'));
    const forged = { ...params, requestState: flipped, inputResponses };
    await expect(client.request('tools/call', forged, raw)).rejects.toThrow('"requestState" is not one that');
    const without = await client.request('tools/call', { ...params, inputResponses }, raw);
    expect(without).toMatchObject({ inputRequests: { [key]: { params: { message: 'Who are you, x?' } } } });
    expect(up.status.suspendedCalls).toBe(2);
  });

  it('times out, and the error has the duration', async () => {
    const { up, client, params, key, requestState } = await suspended({ answerMs: 20 });
    await vi.waitFor(() => expect(up.status).toMatchObject({ suspendedCalls: 0, activeCalls: 0 }), { timeout: 20_000 });
    const late = { ...params, requestState, inputResponses: { [key]: accept('Ada') } };
    await expect(client.request('tools/call', late, raw)).rejects.toThrow(
      'The call is no longer waiting: the upstream "up" keeps one for 0.02 seconds',
    );
  });

  it('is rejected above a maximum', async () => {
    const { up, client, params } = await suspended({ maxSuspended: 1 });
    await expect(client.request('tools/call', params, raw)).rejects.toThrow('wait for answers: at most 1');
    await vi.waitFor(() => expect(up.status).toMatchObject({ suspendedCalls: 1, activeCalls: 1 }), { timeout: 20_000 });
  });
});
