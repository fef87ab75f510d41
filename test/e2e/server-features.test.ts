import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callTool, connect, handshakeVersions, start, statelessVersion } from '../support/ccmcp.ts';
import { connectInProcess, startInProcess } from '../support/in-process.ts';
import { expectError, type McpClient } from '../support/mcp-client.ts';

const message = 'notifications/message';
const level = 'io.modelcontextprotocol/logLevel';

async function read(client: McpClient, uri: string): Promise<string> {
  const { contents } = await client.request('resources/read', { uri });
  return contents[0].text;
}

/** The log entries on stderr, without their times, which are only validated. */
function logLines(stderr: string): object[] {
  return stderr
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { time, ...entry } = JSON.parse(line) as { time: string };
      expect(new Date(time).toISOString()).toBe(time);
      return entry;
    });
}

describe('the resources of ./ccmcp', () => {
  it('show the usage so far, which changes with each read', async () => {
    const { client } = await connectInProcess();
    const [first, second] = [await read(client, 'stats://usage'), await read(client, 'stats://usage')];
    expect(first).toMatch(/^Requests: 2\nUptime: [\d.]+ s\n$/);
    expect(second).toMatch(/^Requests: 3\n/);
  });

  it('describe each tool', async () => {
    const { client } = await connectInProcess();
    const help = await read(client, 'help://commands');
    expect(help.split('\n')).toHaveLength(13 + 1);
    expect(help).toMatch(/^hello: Say hello to someone\nadd: /);
  });
});

describe('the prompts of ./ccmcp', () => {
  it('are rendered, and rejected if arguments are missing (S-P-02)', async () => {
    const { client } = await connectInProcess();
    const review = { name: 'code_review', arguments: { code: 'a + b', language: 'Zig' } };
    expect((await client.request('prompts/get', review)).messages[0].content.text).toContain('Zig code:\na + b');
    const { messages } = await client.request('prompts/get', { name: 'summarize', arguments: { text: 'All of it' } });
    expect(messages).toMatchObject([{ role: 'user', content: { text: expect.stringContaining('All of it') } }]);
    expectError(await client.sendRequest('prompts/get', { name: 'greet' }), -32602);
    expectError(await client.sendRequest('prompts/get', { name: 'nobody' }), -32602);
  });

  it('complete the language of a review', async () => {
    const { client } = await connectInProcess();
    const params = { ref: { type: 'ref/prompt', name: 'code_review' }, argument: { name: 'language', value: 'py' } };
    expect((await client.request('completion/complete', params)).completion.values).toEqual(['Python']);
  });
});

const ended = { level: 'info', logger: 'ccmcp', data: 'EOF on stdin, shutting down' };

describe('the log of ./ccmcp', () => {
  it('goes to the client by its level, and to stderr as JSON lines (S-L-03)', async () => {
    const { client, wire } = await connect();
    const initialized = { level: 'info', logger: 'ccmcp', data: 'Server initialized' };
    expect((await client.readNotification(message)).params).toEqual(initialized);

    await callTool(client, 'hello', { name: 'x' });
    const calling = { level: 'debug', logger: 'ccmcp', data: 'Calling tool: hello' };
    expect((await client.readNotification(message)).params).toEqual(calling);
    await client.request('logging/setLevel', { level: 'info' });
    await callTool(client, 'hello', { name: 'x' });

    await client.request('logging/setLevel', { level: 'error' });
    await callTool(client, 'hello');
    const failed = { level: 'error', logger: 'ccmcp', data: expect.stringMatching(/^Tool hello failed: .*name/) };
    expect((await client.readNotification(message)).params).toEqual(failed);

    await client.request('logging/setLevel', { level: 'critical' });
    await client.sendRequest('tools/call', { name: 'nobody' });
    await wire.close();
    expect(client.notifications(message)).toHaveLength(3);
    const unknown = { level: 'error', logger: 'ccmcp', data: 'tools/call failed: Unknown tool: nobody' };
    expect(logLines(wire.stderr())).toEqual([initialized, failed, unknown, ended]);
  });

  it.each(handshakeVersions)('starts right after the response to initialize, for clients of %s', async (version) => {
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => stderr.mockRestore());
    const { client } = startInProcess({ version, logLevel: 'debug' });
    const introduced = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    client.post('initialize', introduced, 1);
    client.sendNotification('notifications/initialized');
    client.post('tools/call', { name: 'hello', arguments: { name: 'World' } }, 2);
    await client.answerTo(2);
    expect(client.received).toMatchObject([
      { id: 1 },
      { params: { level: 'info', data: 'Server initialized' } },
      { params: { level: 'debug', data: 'Calling tool: hello' } },
      { id: 2 },
    ]);
  });

  it('goes to a stateless client only for a request that asks, and from its level on (S-L-04)', async () => {
    const { client } = start({ version: statelessVersion });
    const call = (name: string, wanted?: string): Promise<unknown> =>
      client.sendRequest('tools/call', { name, arguments: {}, ...(wanted && { _meta: { [level]: wanted } }) });
    await call('nobody');
    await call('nobody', 'critical');
    await call('nobody', 'error');
    expect(client.notifications(message)).toMatchObject([{ params: { level: 'error', logger: 'ccmcp' } }]);
    await call('nobody', 'debug');
    expect(client.notifications(message).slice(1)).toMatchObject([
      { params: { level: 'debug', data: 'Calling tool: nobody' } },
      { params: { level: 'error', data: 'tools/call failed: Unknown tool: nobody' } },
    ]);
    const wrong = await client.sendRequest('tools/list', { _meta: { [level]: 'loud' } });
    expect(expectError(wrong, -32602).message).toContain('debug, info');
  });

  it('starts at the level of --log-level, for the client and on stderr', async () => {
    const debug = await connect({ args: ['--log-level', 'debug'] });
    await callTool(debug.client, 'echo', { message: 'x' });
    await debug.wire.close();
    const received = debug.client.notifications(message).map(({ params }) => params);
    expect(received).toMatchObject([{ data: 'Server initialized' }, { data: 'Calling tool: echo' }]);
    expect(logLines(debug.wire.stderr())).toEqual([...received, ended]);

    const quiet = await connect({ args: ['--log-level=critical'] });
    await callTool(quiet.client, 'echo');
    await quiet.wire.close();
    expect(quiet.client.notifications(message)).toEqual([]);
    expect(quiet.wire.stderr()).toBe('');
  });

  it('rejects an unknown level (S-L-03)', async () => {
    const { client } = await connectInProcess();
    const answer = await client.sendRequest('logging/setLevel', { level: 'loud' });
    expect(expectError(answer, -32602).message).toContain('debug, info');
  });
});
