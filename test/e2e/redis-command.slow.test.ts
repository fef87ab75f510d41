import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { canStart, sharedUrl, startRedis } from '../../packages/redis/src/fixtures/redis.ts';
import { emptyFolder, launcher, runProcess } from '../support/ccmcp.ts';

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

interface Serving {
  child: ChildProcess;
  url: string;
  /** Its stderr output so far. */
  stderr(): string;
}

async function serve(args: string[], env: Record<string, string> = {}): Promise<Serving> {
  const child = spawn(launcher, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  let said = '';
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  while (!/curl|server.mjs is served at/.test(said)) await once(child.stdout as NodeJS.ReadableStream, 'data');
  return { child, url: /http:\/\/\S+\/mcp/.exec(said)?.[0] ?? '', stderr: () => errors };
}

const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

/** `_meta` of a request without a session. */
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

interface Asked {
  result: { inputRequests: Record<string, unknown>; requestState: string };
}

function post(url: string, message: object, session?: string, headers: object = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'Mcp-Session-Id': session }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
}

describe.skipIf(sharedUrl === undefined)('ccmcp with sessions in Redis', () => {
  it('serves a session of another process, and stops on a signal', async () => {
    const one = await serve(['greeting', '--http', '0', '--store', sharedUrl ?? '']);
    const two = await serve(['greeting', '--http', '0'], { REDIS_URL: sharedUrl ?? '' });
    const begun = await post(one.url, { id: 1, method: 'initialize', params });
    const session = begun.headers.get('mcp-session-id') ?? '';
    await begun.text();
    const listed = await post(two.url, { id: 2, method: 'tools/list' }, session);
    expect([listed.status, await listed.text()]).toEqual([200, expect.stringContaining('HelloTool')]);
    const ended = await fetch(two.url, { method: 'DELETE', headers: { 'Mcp-Session-Id': session } });
    expect(ended.status).toBe(204);
    expect((await post(one.url, { id: 3, method: 'tools/list' }, session)).status).toBe(404);
    for (const { child } of [one, two]) {
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
    }
  });

  it('resumes a call that another process suspended', async () => {
    const file = join(emptyFolder(), 'server.mjs');
    const core = new URL('../../packages/core/dist/index.js', import.meta.url).href;
    const name = `asking-${process.pid}-${Date.now()}`;
    await writeFile(
      file,
      `import { createServer, tool } from '${core}';
      const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
      const greet = tool('greet', {}, async (_, { elicit }) => 'Hello, ' + (await elicit({ message: 'Who?', schema })).content.name);
      export default createServer({ name: '${name}', version: '1.0.0', tools: [greet] });`,
    );
    const given = ['serve', file, '--http', '0', '--store', sharedUrl ?? ''];
    const [one, two] = [await serve(given), await serve(given)];
    const call = { method: 'tools/call', params: { name: 'greet', arguments: {}, _meta: meta } };
    const headers = { 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'greet' };
    const asked = (await (await post(one.url, { id: 1, ...call }, undefined, headers)).json()) as Asked;
    const [key = ''] = Object.keys(asked.result.inputRequests);
    const inputResponses = { [key]: { action: 'accept', content: { name: 'Ada' } } };
    const more = { inputResponses, requestState: asked.result.requestState };
    const answered = await post(two.url, { id: 2, ...call, params: { ...call.params, ...more } }, undefined, headers);
    expect(await answered.text()).toContain('Hello, Ada');
  });

  it('starts without Redis, reports that without the password, and stops on a signal', async () => {
    const env = { REDIS_URL: 'redis://me:secret@127.0.0.1:1' };
    const { child, url, stderr } = await serve(['greeting', '--http', '0'], env);
    const rejected = await post(url, { id: 1, method: 'initialize', params });
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1']);
    const listed = await post(url, { id: 2, method: 'tools/list' });
    expect([listed.status, await listed.text()]).toEqual([200, expect.stringContaining('HelloTool')]);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    const reason = 'Nothing listens at 127.0.0.1:1: start Redis there, or correct the URL';
    expect(stderr()).toContain(`The shared store is unavailable: ${reason}`);
    expect(stderr()).not.toContain('secret');
  });

  it.skipIf(!canStart)('reports invalid settings without the password', async () => {
    const { port, stop } = await startRedis(['--requirepass', 'right']);
    const given = ['greeting', '--http', '0', '--store', `redis://:secret@127.0.0.1:${port}`];
    const { code, stderr } = await runProcess(given);
    await stop();
    const reason = `Redis at 127.0.0.1:${port} rejects the user or the password`;
    expect([code, stderr]).toEqual([1, expect.stringContaining(`ccmcp: ${reason}`)]);
    expect(stderr).not.toContain('secret');
  });
});
