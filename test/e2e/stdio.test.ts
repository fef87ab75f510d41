import { describe, expect, it } from 'vitest';
import { callTool, connect, runProcess, start, statelessVersion } from '../support/ccmcp.ts';
import { connectInProcess } from '../support/in-process.ts';
import { expectError, type JsonRpcMessage } from '../support/mcp-client.ts';
import type { Framing } from '../support/wires.ts';

const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1.0' } },
};
const initialized = { method: 'notifications/initialized' };

function call(id: number, name: string, args: object): object {
  return { id, method: 'tools/call', params: { name, arguments: args } };
}

/** The output of `./ccmcp` for these messages, sent at once, followed by the end of input. */
async function pipe(messages: readonly (object | string)[]): Promise<JsonRpcMessage[]> {
  const lines = messages.map((each) => (typeof each === 'string' ? each : JSON.stringify({ jsonrpc: '2.0', ...each })));
  const { code, stdout } = await runProcess([], { input: lines.map((line) => `${line}\n`).join('') });
  expect(code).toBe(0);
  expect(stdout).toMatch(/\n$/);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonRpcMessage);
}

function frame(body: string): string {
  return `Content-Length: ${body.length}\r\n\r\n${body}`;
}

function answers(messages: JsonRpcMessage[]): JsonRpcMessage[] {
  return messages.filter(({ method }) => method === undefined);
}

describe('a pipe into ./ccmcp', () => {
  it('gets every response in order, and nothing but messages on stdout (S-IO-01)', async () => {
    const got = await pipe([
      initialize,
      initialized,
      { id: 2, method: 'tools/list' },
      call(3, 'hello', { name: 'World' }),
      call(4, 'add', { a: 2, b: 3 }),
      { id: 5, method: 'resources/list' },
      call(6, 'echo', { message: 'x' }),
    ]);
    for (const message of got) expect(message).toMatchObject({ jsonrpc: '2.0' });
    expect(answers(got)).toMatchObject([
      { id: 1, result: { protocolVersion: '2025-03-26' } },
      { id: 2, result: { tools: expect.any(Array) } },
      { id: 3, result: { content: [{ text: 'Hello, World!' }], isError: false } },
      { id: 4, result: { content: [{ text: '5' }] } },
      { id: 5, result: { resources: expect.any(Array) } },
      { id: 6, result: { content: [{ text: 'x' }] } },
    ]);
  });

  it('with invalid messages gets an error for each, and log messages afterwards', async () => {
    expect(await pipe(['not valid json', { id: 1, method: 'unknown_method' }])).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: 1, error: { code: -32601 } },
      { method: 'notifications/message', params: { level: 'error', data: expect.stringMatching(/^Parse error/) } },
      { method: 'notifications/message', params: { level: 'error', data: 'Method not found: unknown_method' } },
    ]);
  });

  it('without a final newline is answered, and gets no hint that a client is awaited', async () => {
    const { code, stdout, stderr } = await runProcess([], { input: '{"jsonrpc":"2.0","id":7,"method":"ping"}' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"jsonrpc":"2.0","id":7,"result":{}}\n' });
    expect(stderr).not.toContain('waits for');
  });

  it('that is empty ends the process', async () => {
    const stderr = expect.stringMatching(/^\{.*"info".*EOF on stdin, shutting down"\}\n$/);
    expect(await runProcess([])).toEqual({ code: 0, stdout: '', stderr });
    expect(await runProcess([], { input: '\n\r\n  \n' })).toEqual({ code: 0, stdout: '', stderr });
  });

  it('of thousands of messages loses none', async () => {
    const ids = Array.from({ length: 5000 }, (_, index) => index + 2);
    const got = await pipe([initialize, initialized, ...ids.map((id) => call(id, 'add', { a: id, b: 1 }))]);
    const sums = answers(got).slice(1);
    expect(sums.map(({ id }) => id)).toEqual(ids);
    expect(sums.every(({ id, result }) => result.content[0].text === String(Number(id) + 1))).toBe(true);
  });
});

describe('framing', () => {
  it('follows the first bytes of the client', async () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
    expect((await runProcess([], { input: `${text}\n${text}\r\n` })).stdout).toBe(`${answer}\n`.repeat(2));
    expect((await runProcess([], { input: frame(text).repeat(3) })).stdout).toBe(frame(answer).repeat(3));
  });

  it('is pinned by --framing', async () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const lines = await runProcess(['--framing', 'newline'], { input: `Content-Length: 40\r\n\r\n${text}\n` });
    const [wrong, right] = lines.stdout.trimEnd().split('\n');
    expect(JSON.parse(wrong as string)).toMatchObject({ id: null, error: { code: -32700 } });
    expect(JSON.parse(right as string)).toMatchObject({ id: 1, result: {} });
    const framed = `Content-Type: x\r\nContent-Length: 40\r\n\r\n${text}`;
    const headers = await runProcess(['--framing=content-length'], { input: framed });
    expect(headers.stdout).toBe('Content-Length: 36\r\n\r\n{"jsonrpc":"2.0","id":1,"result":{}}');
  });

  it('works for any chunking of the input', async () => {
    const { client, wire } = start();
    const messages = [initialize, call(2, 'echo', { message: 'ü\u{1F600}' })];
    const lines = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    for (const byte of Buffer.from(lines.join(''))) wire.write(Uint8Array.of(byte));
    expect((await client.answerTo(2)).result.content[0].text).toBe('ü\u{1F600}');
  });
});

describe('a message that is too long', () => {
  it.each<Framing>(['newline', 'content-length'])('is rejected over %s, and the next is served', async (framing) => {
    const { client } = await connectInProcess({ framing });
    client.post('tools/call', { name: 'echo', arguments: { message: 'x'.repeat(1_048_576) } });
    expect(expectError(await client.answerTo(null), -32600).message).toMatch(/1048576/);
    expect(await callTool(client, 'echo', { message: 'x'.repeat(1_048_000) })).toHaveLength(1_048_000);
  });

  it('is what --max-message says', async () => {
    const { client } = await connect({ args: ['--max-message', '2000'] });
    client.post('tools/call', { name: 'echo', arguments: { message: 'x'.repeat(2000) } });
    expectError(await client.answerTo(null), -32600);
    expect(await callTool(client, 'echo', { message: 'x'.repeat(1000) })).toHaveLength(1000);
  });
});

describe('the end of the input', () => {
  it('ends a subscription with its result, then with a cancellation, and the process (S-U-05, S-IO-04)', async () => {
    const { client, wire } = start({ version: statelessVersion });
    client.post('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'mine');
    await client.readNotification('notifications/subscriptions/acknowledged');
    await wire.close();
    expect(await wire.exited).toEqual({ code: 0, signal: null });
    expect(client.received.slice(1)).toMatchObject([
      { id: 'mine', result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': 'mine' } } },
      { method: 'notifications/cancelled', params: { requestId: 'mine' } },
    ]);
  });

  it('drains running requests', async () => {
    const { client, wire } = await connect();
    // The first call of each tool waits until the validator is loaded.
    const ids = ['hello', 'echo', 'read_file'].map((name) => client.post('tools/call', { name, arguments: {} }));
    await wire.close();
    expect(await wire.exited).toEqual({ code: 0, signal: null });
    const [, ...finished] = answers(client.received);
    expect(finished.map(({ id }) => id)).toEqual(ids);
  });
});

describe('a signal', () => {
  it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])('%s ends the process in order', async (signal) => {
    const { client, wire } = start({ version: statelessVersion });
    client.post('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'mine');
    await client.readNotification('notifications/subscriptions/acknowledged');
    process.kill(wire.pid, signal);
    expect(await wire.exited).toEqual({ code: 0, signal: null });
    expect(client.received.at(-2)).toMatchObject({ id: 'mine', result: { resultType: 'complete' } });
  });
});
