import { describe, expect, it } from 'vitest';
import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import { handshakeVersions, statelessVersions } from '../revisions/history.ts';
import { prompt, resource, tool } from '../server/define/define.ts';
import { stderrLogger } from '../server/log/log.ts';
import { createServer } from '../create-server.ts';
import type { Server } from '../server/server.ts';
import { ToolError } from '../server/call/tool-error.ts';
import { testClient } from './client.ts';
import { expectProtocolError, expectStructured, expectText, expectToolError } from './expect.ts';
import { TestFailure } from './transcript.ts';

const input = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const output = { type: 'object', properties: { length: { type: 'number' } }, required: ['length'] } as const;

function server(): Server {
  return createServer({
    name: 'tested',
    version: '1.0.0',
    logger: stderrLogger('emergency'),
    tools: [
      tool('greet', { input }, ({ name }) => `Hello, ${name}!`),
      tool('measure', { input, output }, ({ name }) => ({ length: name.length })),
      tool('fail', {}, () => {
        throw new ToolError('on purpose');
      }),
      tool('mute', {}, () => ({ content: [] })),
      tool('ask', {}, async (_, { elicit }) => {
        const answer = await elicit({ message: 'Who?', schema: input });
        return answer.action === 'accept' ? `It is ${answer.content.name}` : 'Nobody';
      }),
      tool('date', {}, () => ({ structuredContent: { at: new Date(0), left: undefined }, content: [] })),
      tool('log', {}, (_, { log }) => log('warning', 'careful')),
    ],
    resources: [resource('test:///one', {}, () => 'the first')],
    prompts: [prompt('start', { arguments: { topic: { required: true } } }, ({ topic }) => `Begin with ${topic}`)],
  });
}

describe.each([...handshakeVersions, ...statelessVersions])('a server under test in %s', (version) => {
  it('calls tools in memory', async () => {
    const client = await testClient(server(), { version });

    expect(client.protocolVersion).toBe(version);
    expect(expectText(await client.callTool('greet', { name: 'Ada' }))).toBe('Hello, Ada!');
    expect(expectText(await client.readResource('test:///one'))).toBe('the first');
    expect(expectText(await client.getPrompt('start', { topic: 'tea' }))).toBe('Begin with tea');
    expect((await client.listTools().all()).map(({ name }) => name)).toContain('greet');
  });

  it('records all messages', async () => {
    const client = await testClient(server(), { version });
    await client.callTool('greet', { name: 'Ada' });

    const said = client.transcript.lines.map(({ sender }) => sender);
    expect(said.slice(-2)).toEqual(['client', 'server']);
    expect(String(client.transcript)).toContain('client --> {"jsonrpc":"2.0",');
    expect(String(client.transcript)).toContain('Hello, Ada!');
  });

  it('fails with the transcript in the message', async () => {
    const client = await testClient(server(), { version });
    const failed = await client.callTool('fail');

    expect(expectToolError(failed)).toContain('on purpose');
    expect(() => expectText(failed)).toThrow(TestFailure);
    expect(() => expectText(failed)).toThrow(/The tool failed: .*on purpose[^]*client --> .*"name":"fail"/);
  });
});

describe('a server under test', () => {
  it.each(['2025-06-18', '2026-07-28'])('asks what the test answers, in %s', async (version) => {
    const accepting = await testClient(server(), {
      version,
      elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
    });
    const declining = await testClient(server(), { version, elicit: () => ({ action: 'decline' }) });

    expect(expectText(await accepting.callTool('ask'))).toBe('It is Ada');
    expect(expectText(await declining.callTool('ask'))).toBe('Nobody');
  });

  it('collects its log messages', async () => {
    const client = await testClient(server(), { version: '2025-11-25' });
    await client.callTool('log');

    expect(client.logs).toContainEqual(expect.objectContaining({ level: 'warning', data: 'careful' }));
  });

  it('behaves as for a client in another process', async () => {
    const client = await testClient(server());

    expect(expectStructured(await client.callTool('date'))).toStrictEqual({ at: '1970-01-01T00:00:00.000Z' });
  });

  it.each(['2025-11-25', '2026-07-28'])('notifies clients of changes, in %s', async (version) => {
    const tested = server();
    const client = await testClient(tested, { version });
    const subscription = await client.listen({ tools: true });
    tested.tools.remove('mute');

    expect(await subscription[Symbol.asyncIterator]().next()).toEqual({ done: false, value: { kind: 'tools' } });
  });

  it('explains why a client could not connect', async () => {
    await expect(testClient(server(), { version: '1999-01-01' })).rejects.toThrow(/Unknown protocol version/);
  });
});

describe('an assertion', () => {
  it('returns structured content, or fails without any', async () => {
    const client = await testClient(server());

    expect(expectStructured(await client.callTool('measure', { name: 'Ada' }))).toEqual({ length: 3 });
    const greeted = await client.callTool('greet', { name: 'Ada' });
    expect(() => expectStructured(greeted)).toThrow(/no structured content[^]*The messages/);
    const failed = await client.callTool('fail');
    expect(() => expectStructured(failed)).toThrow(/The tool failed/);
  });

  it('fails if a tool succeeded', async () => {
    const client = await testClient(server());
    const greeted = await client.callTool('greet', { name: 'Ada' });

    expect(() => expectToolError(greeted)).toThrow(/expected to fail, but answered: Hello, Ada![^]*The messages/);
  });

  it('fails if there is no text', async () => {
    const client = await testClient(server());
    const mute = await client.callTool('mute');

    expect(() => expectText(mute)).toThrow(/There is no text in/);
  });

  it('returns the error of a rejected request, with the transcript', async () => {
    const client = await testClient(server());
    const error = await expectProtocolError(client.callTool('nothing'), ErrorCode.InvalidParams);

    expect(error).toBeInstanceOf(ProtocolError);
    expect(error.message).toMatch(/nothing[^]*The messages:\n[^]*"name":"nothing"/);
  });

  it('rejects a cancelled request with the reason of its signal', async () => {
    const client = await testClient(server());
    const reason = AbortSignal.abort().reason as unknown;

    await expect(client.callTool('mute', {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('fails if a request was not rejected, or with another error', async () => {
    const client = await testClient(server());

    await expect(expectProtocolError(client.callTool('mute'))).rejects.toThrow(
      /expected to be rejected[^]*The messages/,
    );
    await expect(expectProtocolError(client.callTool('nothing'), 7)).rejects.toThrow(/Expected the code 7, got -32602/);
    await expect(expectProtocolError(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });
});

describe('a transcript', () => {
  it('omits old messages, and truncates long ones', async () => {
    const client = await testClient(server());
    for (let count = 0; count < 20; count += 1) await client.callTool('greet', { name: 'x'.repeat(1000) });

    const lines = String(client.transcript).split('\n');
    expect(lines[0]).toMatch(/^ {2}\(\d+ messages before\)$/);
    expect(lines).toHaveLength(31);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(450);
  });
});
