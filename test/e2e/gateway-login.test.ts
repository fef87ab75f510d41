import { type ChildProcess, spawn as spawnProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Client, connect, type ConnectOptions, httpTransport, spawn } from '@ccmcp/core/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testBrowser } from '../../packages/gateway/src/fixtures/browser.ts';
import { protectedUpstream } from '../../packages/gateway/src/fixtures/protected-upstream.ts';
import { sharedUrl } from '../../packages/redis/src/fixtures/redis.ts';
import { browser } from '../support/browser.ts';
import { emptyFolder, launcher, run, runProcess } from '../support/ccmcp.ts';
import { freePort } from '../support/free-port.ts';

const textOf = ({ content }: { content: unknown[] }): string => (content[0] as { text: string }).text;
const toolsOf = async (client: Client): Promise<string[]> => (await client.listTools().all()).map(({ name }) => name);

function gatewayFile(server: object): string {
  const file = join(emptyFolder(), 'servers.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { up: server } }));
  return file;
}

function surroundings(): { logins: string; env: Record<string, string> } {
  const logins = join(emptyFolder(), 'logins');
  return { logins, env: { CCMCP_LOGINS: logins, CCMCP_KEYCHAIN: 'none', PATH: `${browser()}:${process.env.PATH}` } };
}

describe('ccmcp gateway', () => {
  it('uses the stored login, refreshes it before it expires and after a rejection, and reports a missing one', async () => {
    const upstream = await protectedUpstream();
    const { by, url } = upstream;
    const { env } = surroundings();
    const file = gatewayFile({ url });
    const start = async (): Promise<Client> => {
      const client = await connect(spawn(launcher, ['gateway', file], { env }));
      onTestFinished(() => client.close());
      return client;
    };
    const before = await start();
    expect(await toolsOf(before)).toEqual([]);
    const status = await run(['gateway', 'status', file], { env });
    expect([status.code, status.stdout]).toEqual([1, expect.stringContaining(`ccmcp login ${url}`)]);

    by.settings.lifetime = 5;
    expect(await run(['login', url], { env })).toMatchObject({ code: 0 });
    const client = await start();
    const refreshes = (): number => by.forms().filter((form) => form.grant_type === 'refresh_token').length;
    expect(textOf(await client.callTool('up_who'))).toBe('user-1');
    expect(refreshes()).toBeGreaterThan(0);

    by.settings.lifetime = 3600;
    await client.callTool('up_who');
    await client.close();
    const again = await start();
    expect(textOf(await again.callTool('up_who'))).toBe('user-1');
    const count = refreshes();
    upstream.rejectTokens();
    upstream.calls.length = 0;
    expect(textOf(await again.callTool('up_who'))).toBe('user-1');
    expect([refreshes(), upstream.calls]).toEqual([count + 1, ['user-1']]);
  });

  it('lets each caller sign in, and stores their tokens encrypted over a restart', async () => {
    const upstream = await protectedUpstream();
    const { by, url } = upstream;
    const { env, logins } = surroundings();
    const file = gatewayFile({ url, auth: 'user' });
    const port = String(await freePort());
    const serve = async (): Promise<ChildProcess> => {
      const variables = { ...env, CCMCP_LOGINS_KEY: 'a secret of the operator, long enough', KEYS: 'key-ann,key-bob' };
      const child = spawnProcess(launcher, ['gateway', file, '--http', port, '--api-key-env', 'KEYS'], {
        env: { ...process.env, ...variables },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line');
      return child;
    };
    const clientOf = async (key: string, subject?: string): Promise<Client> => {
      const options: ConnectOptions =
        subject === undefined
          ? {}
          : {
              async elicitUrl(question) {
                by.settings.subject = subject;
                expect(await testBrowser().signIn(question.url)).toMatchObject({ status: 200 });
                return { action: 'accept' };
              },
            };
      const headers = { 'X-Api-Key': key };
      const client = await connect(httpTransport(`http://127.0.0.1:${port}/mcp`, { headers }), options);
      onTestFinished(() => client.close());
      return client;
    };

    const first = await serve();
    const [ann, bob] = [await clientOf('key-ann', 'ann'), await clientOf('key-bob', 'bob')];
    expect(await toolsOf(ann)).toEqual(['up_sign_in']);
    await ann.callTool('up_sign_in');
    await bob.callTool('up_sign_in');
    expect(textOf(await ann.callTool('up_who'))).toBe('ann');
    expect(textOf(await bob.callTool('up_who'))).toBe('bob');
    first.kill('SIGTERM');
    await once(first, 'exit');

    await serve();
    const [annAgain, bobAgain] = [await clientOf('key-ann'), await clientOf('key-bob')];
    expect(textOf(await annAgain.callTool('up_who'))).toBe('ann');
    expect(textOf(await bobAgain.callTool('up_who'))).toBe('bob');

    const sent = upstream.seen.flat().join('\n');
    expect(sent).not.toContain('key-ann');
    expect(sent).not.toContain('key-bob');
    const stored = readdirSync(logins, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const texts = stored.map((each) => readFileSync(join(each.parentPath ?? each.path, each.name), 'utf8')).join('\n');
    expect(texts).toContain('"sealed"');
    for (const token of by.tokens.keys()) expect(texts).not.toContain(token);
  });

  it.runIf(sharedUrl !== undefined)(
    'serves the pages of a sign-in that another with the same store began',
    async () => {
      const upstream = await protectedUpstream();
      const file = gatewayFile({ url: upstream.url, auth: 'user' });
      const env = {
        ...process.env,
        ...surroundings().env,
        CCMCP_LOGINS_KEY: `a secret of the operator ${crypto.randomUUID()}`,
        KEYS: 'key-ann',
      };
      const serve = async (): Promise<string> => {
        const port = String(await freePort());
        const options = ['--http', port, '--api-key-env', 'KEYS', '--store', sharedUrl ?? ''];
        const child = spawnProcess(launcher, ['gateway', file, ...options], {
          env,
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        onTestFinished(() => void child.kill('SIGKILL'));
        await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line');
        return `http://127.0.0.1:${port}`;
      };
      const [one, other] = [await serve(), await serve()];
      const atOther = (page: string): string => page.replace(one, other);
      const client = await connect(httpTransport(`${one}/mcp`, { headers: { 'X-Api-Key': 'key-ann' } }), {
        async elicitUrl({ url }) {
          upstream.by.settings.subject = 'ann';
          const person = testBrowser();
          const callback = await person.signInUntilCallback(atOther(url));
          expect(await person.open(atOther(callback))).toMatchObject({ status: 200 });
          return { action: 'accept' };
        },
      });
      onTestFinished(() => client.close());
      await client.callTool('up_sign_in');
      expect(textOf(await client.callTool('up_who'))).toBe('ann');
    },
  );

  it('keeps the tokens of callers in no store without a key', async () => {
    const { env } = surroundings();
    const file = gatewayFile({ url: 'http://127.0.0.1:9/mcp', auth: 'user' });
    const options = ['--http', '0', '--api-key-env', 'KEYS', '--store', 'redis://127.0.0.1:9'];
    const ended = await runProcess(['gateway', file, ...options], {
      env: { ...env, KEYS: 'key-ann', CCMCP_LOGINS_KEY: 'short' },
    });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('needs CCMCP_LOGINS_KEY: a secret of at least 32 characters');
  });
});
