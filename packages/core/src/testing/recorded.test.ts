import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ConnectOptions, connect, memoryTransport, protocolVersions, spawn } from '../client.ts';
import { createServer, type Server, tool } from '../index.ts';
import { recorded } from './recorded.ts';

const input = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;

/** A server whose answers show how often it was called, and that counts its requests. */
function countingServer(): { server: Server; calls(): number } {
  let calls = 0;
  const server = createServer({
    name: 'counting',
    version: '1',
    tools: [
      tool('greet', { input }, ({ name }) => `Hello, ${name}! Call ${(calls += 1)}`),
      tool('wish', {}, async (_, context) => {
        calls += 1;
        context.progress(1, 2, 'asking');
        const asked = await context.elicit({
          message: 'Which?',
          schema: { type: 'object', properties: { wish: { type: 'string' } }, required: ['wish'] },
        });
        return asked.action === 'accept' ? `Granted: ${asked.content.wish}` : 'None';
      }),
      tool(
        'log_in',
        { input: { type: 'object', properties: { password: { type: 'string' } } } },
        () => 'api_key=hush-hush',
      ),
    ],
  });
  return { server, calls: () => calls };
}

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-recorded-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return join(folder, 'sessions', 'one.ndjson');
}

function outsideOfCi(): void {
  vi.stubEnv('CI', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
}

async function session(server: Server, file: string, options: ConnectOptions = {}): Promise<unknown[]> {
  const client = await connect(recorded(server, file), options);
  const progress: unknown[] = [];
  const seen: unknown[] = [client.protocolVersion, client.serverInfo];
  for await (const listed of client.listTools()) seen.push(listed.name);
  for (const name of ['Ada', 'Ada', 'Bob']) seen.push((await client.callTool('greet', { name })).content);
  if (options.elicit !== undefined) {
    const called = client.callTool('wish', {}, { onProgress: (each) => void progress.push(each) });
    seen.push((await called).content, progress);
  }
  seen.push((await client.callTool('log_in', { password: 'hush' })).content);
  await client.close();
  return seen;
}

const elicit = () => ({ action: 'accept' as const, content: { wish: 'tea' } });

describe('a recorded server', () => {
  it.each(protocolVersions)('is recorded once and replayed afterwards in $version', async ({ version }) => {
    outsideOfCi();
    const file = newFile();
    const { server, calls } = countingServer();
    const hasQuestions = version >= '2025-06-18';
    const options = { version, ...(hasQuestions && { elicit }) };
    const first = await session(server, file, options);
    const made = calls();
    const recording = readFileSync(file, 'utf8');
    expect(await session(server, file, options)).toEqual(
      first.slice(0, -1).concat([[{ type: 'text', text: 'api_key=[masked]' }]]),
    );
    expect(calls()).toBe(made);
    expect(readFileSync(file, 'utf8')).toBe(recording);
    expect(recording).not.toContain('hush');
  });

  it('is recorded equally each time', async () => {
    outsideOfCi();
    const [one, other] = [newFile(), newFile()];
    await session(countingServer().server, one, { elicit });
    await session(countingServer().server, other, { elicit });
    expect(readFileSync(other, 'utf8')).toBe(readFileSync(one, 'utf8'));
  });

  it('repeats the last answer, and says what it has instead of an unknown one', async () => {
    outsideOfCi();
    const file = newFile();
    const { server } = countingServer();
    await session(server, file);
    const client = await connect(recorded(server, file));
    const texts: unknown[] = [];
    for (let count = 0; count < 3; count += 1) texts.push((await client.callTool('greet', { name: 'Ada' })).content[0]);
    expect(texts).toMatchObject([
      { text: 'Hello, Ada! Call 1' },
      { text: 'Hello, Ada! Call 2' },
      { text: 'Hello, Ada! Call 2' },
    ]);
    await expect(client.callTool('greet', { name: 'Ann' })).rejects.toThrow(
      'The recording has tools/call, but not with these params. The nearest are {"name":"greet","arguments":{"name":"Ada"}}',
    );
    await expect(client.listPrompts().all()).rejects.toThrow('The recording has no "prompts/list". It has');
    await client.close();
  });

  it('answers a strict client in the recorded order only', async () => {
    outsideOfCi();
    const file = newFile();
    const { server } = countingServer();
    await session(server, file);
    const client = await connect(recorded(server, file, { strict: true }));
    await expect(client.callTool('greet', { name: 'Bob' })).rejects.toThrow('must be tools/list');
    await client.listTools().all();
    for (const name of ['Ada', 'Ada', 'Bob']) await client.callTool('greet', { name });
    await client.callTool('log_in', { password: 'another' });
    await expect(client.callTool('greet', { name: 'Ada' })).rejects.toThrow('The recording ends after tools/call');
    await client.close();
  });

  it('is not recorded in CI', () => {
    vi.stubEnv('CI', 'true');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(() => recorded(countingServer().server, 'missing.ndjson')).toThrow('CI records none');
  });

  it('is recorded again if the client did not close', async () => {
    outsideOfCi();
    const file = newFile();
    const { server } = countingServer();
    const client = await connect(recorded(server, file));
    await client.listTools().all();
    expect(await session(server, file)).toHaveLength(9);
    expect(readFileSync(file, 'utf8')).toContain('log_in');
  });

  it('is not recorded if it does not start, or goes away', async () => {
    outsideOfCi();
    const file = newFile();
    await expect(connect(recorded(spawn('/nowhere'), file))).rejects.toThrow('could not be started');
    const dying =
      'process.stdin.once(\'data\', () => process.exit(1)); console.log(\'{"jsonrpc":"2.0","method":"x"}\')';
    const ending = recorded(spawn(process.execPath, ['-e', dying]), file);
    await expect(connect(ending, { era: 'handshake' })).rejects.toThrow('ended with code 1');
    expect(existsSync(file)).toBe(false);
    expect(existsSync(`${file}.partial`)).toBe(false);
  });

  it('replays around a truncated last line, with a warning', async () => {
    outsideOfCi();
    const file = newFile();
    const { server } = countingServer();
    await session(server, file);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.slice(0, -20));
    const warnings: string[] = [];
    const client = await connect(recorded(server, file), { onWarning: (warning) => void warnings.push(warning) });
    expect(warnings).toEqual([expect.stringMatching(/the last one, is truncated, and was skipped/)]);
    await expect(client.callTool('log_in', { password: '' })).rejects.toThrow(
      'The recording ends before the answer to tools/call',
    );
    await client.close();
  });

  it.each([
    ['', 'it is no recording'],
    ['{"log":{}}\n', 'The file is no recording'],
    ['{"format":"ccmcp-recording","version":2}\n', 'another version than 1'],
  ])('is rejected if its file is %j', async (text, problem) => {
    const file = newFile().replace('sessions/', '');
    writeFileSync(file, text);
    await expect(connect(recorded(memoryTransport(countingServer().server), file))).rejects.toThrow(problem);
  });
});
