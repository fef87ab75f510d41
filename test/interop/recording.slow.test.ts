import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { connect, httpTransport, protocolVersions, spawn as spawnServer } from '@ccmcp/core/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, launcher } from '../support/ccmcp.ts';

const asking = fileURLToPath(new URL('fixtures/asking-server.js', import.meta.url));
const identity = { name: 'interop', version: '1.0.0' };
const capabilities = { elicitation: { form: {} } };
const elicited = { action: 'accept', content: { name: 'Ann' } } as const;

/** How a client reaches what it talks to. */
type Way = 'stdio' | 'http';

/** What a session saw. */
type Session = unknown[];

/** Runs a session with the command line of `ccmcp`, or at an address. */
type RunSession = (place: { args: string[] } | { url: URL }) => Promise<Session>;

interface CommonClient {
  close(): Promise<void>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    more?: unknown,
    options?: object,
  ): Promise<unknown>;
}

async function useEverything(
  client: CommonClient,
  call: (name: string, onprogress: (progress: unknown) => void) => Promise<unknown>,
): Promise<Session> {
  const seen: Session = [];
  seen.push((await client.listTools()).tools.map(({ name }) => name));
  for (const name of ['Ann', 'Ann', 'Bob']) seen.push(await client.callTool({ name: 'greet', arguments: { name } }));
  seen.push(await client.callTool({ name: 'fail' }));
  const progress: unknown[] = [];
  // Revisions before 2025-06-18 have no questions.
  const asked = await call('ask', (each) => void progress.push(each)).catch(
    (error: { message: string }) => error.message,
  );
  expect(JSON.stringify(asked)).toMatch(/You are Ann|did not declare/);
  seen.push(asked, progress);
  seen.push(await client.callTool({ name: 'grow' }), (await client.listTools()).tools.length);
  seen.push(await client.callTool({ name: 'nobody' }).catch((error: { message: string }) => error.message));
  await client.close();
  return seen;
}

const clients: Record<string, RunSession> = {
  async 'the official client 1'(place) {
    const client = new Client1(identity, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, () => elicited);
    const changed = new Promise((resolve) => client.setNotificationHandler(ToolListChangedNotificationSchema, resolve));
    await client.connect(
      'url' in place ? new Http1(place.url) : new Stdio1({ command: launcher, args: place.args, stderr: 'ignore' }),
    );
    const seen = await useEverything(client, (name, onprogress) =>
      client.callTool({ name }, undefined, { onprogress }),
    );
    await changed;
    return [...seen, client.getServerVersion()];
  },
  ...Object.fromEntries(
    (['legacy', 'auto', { pin: '2026-07-28' }] as const).map((mode): [string, RunSession] => [
      `the official client 2 (${JSON.stringify(mode)})`,
      async (place) => {
        const client = new Client2(identity, { capabilities, versionNegotiation: { mode } });
        client.setRequestHandler('elicitation/create', () => elicited);
        await client.connect(
          'url' in place ? new Http2(place.url) : new Stdio2({ command: launcher, args: place.args, stderr: 'ignore' }),
        );
        const version = client.getNegotiatedProtocolVersion();
        const seen = await useEverything(client, (name, onprogress) => client.callTool({ name }, { onprogress }));
        return [...seen, version];
      },
    ]),
  ),
  ...Object.fromEntries(
    protocolVersions.map(({ version }): [string, RunSession] => [
      `the client of this library in ${version}`,
      async (place) => {
        const transport = 'url' in place ? httpTransport(place.url) : spawnServer(launcher, place.args);
        const client = await connect(transport, { version, elicit: () => elicited });
        const common = {
          listTools: async () => ({ tools: await client.listTools().all() }),
          callTool: ({ name, arguments: args }: { name: string; arguments?: Record<string, unknown> }) =>
            client.callTool(name, args),
          close: () => client.close(),
        };
        return useEverything(common, (name, onProgress) => client.callTool(name, {}, { onProgress }));
      },
    ]),
  ),
};

/** Starts `ccmcp` with `--http` until the test ends; returns its address, and a function that stops it. */
async function serve(args: string[]): Promise<{ url: URL; stop(): Promise<void> }> {
  const child = spawn(launcher, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    await ended;
  };
  onTestFinished(stop);
  for (const stream of [child.stdout, child.stderr]) stream.on('error', () => {});
  const url = await new Promise<URL>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        const [found] = /http:\/\/[\d.]+:\d+\/mcp/.exec(line) ?? [];
        if (found !== undefined) resolve(new URL(found));
      });
    child.once('exit', () => reject(new Error('ccmcp ended')));
  });
  return { url, stop };
}

async function throughCcmcp(run: RunSession, way: Way, args: string[]): Promise<Session> {
  if (way === 'stdio') return run({ args });
  const [verb = '', ...rest] = args;
  const { url, stop } = await serve([verb, '--http', '0', ...rest]);
  const seen = await run({ url });
  await stop();
  return seen;
}

describe.each(Object.keys(clients))('a session of %s', (name) => {
  const run = clients[name] as RunSession;

  it.each([
    ['stdio', 'stdio'],
    ['stdio', 'http'],
    ['http', 'stdio'],
    ['http', 'http'],
  ] as const)('over %s with a server over %s is recorded, and replayed', async (way, far) => {
    const file = join(emptyFolder(), 'session.jsonl');
    const target = far === 'stdio' ? [asking] : [(await serve(['serve', asking, '--http', '0'])).url.href];
    const seen = await throughCcmcp(run, way, ['record', ...target, '-o', file]);
    expect(seen).toContainEqual(expect.arrayContaining([expect.objectContaining({ progress: 1 })]));
    expect(readFileSync(file, 'utf8')).toMatch(/^\{"format":"ccmcp-recording"[^\n]*\}\n/);
    for (const replayed of ['stdio', 'http'] as const)
      expect(await throughCcmcp(run, replayed, ['replay', file]), `replayed over ${replayed}`).toEqual(seen);
  });
});
