import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { initializeRequest } from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import { sharedUrl, stopAll } from '../../packages/redis/src/fixtures/redis.ts';
import { type Instance, startInstance, stopInstances } from '../instances/fixtures/instances.ts';
import { listening } from '../support/listening.ts';
import { type Balancer, checked, deployFile, isInstalled, ownFolder, startCaddy, startNginx } from './balancer.ts';

const balancers = [
  { name: 'nginx', isThere: isInstalled('nginx', '-v') && isInstalled('openssl', 'version'), start: startNginx },
  { name: 'Caddy', isThere: isInstalled('caddy', 'version'), start: startCaddy },
];

const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

interface Deployed {
  instances: [Instance, Instance];
  balancer: Balancer;
  /** Sends a message in a session. */
  post(message: object): Promise<IncomingMessage>;
  /** Calls a tool, and returns the text of its result. */
  call(tool: string): Promise<string>;
}

/** Two instances behind a balancer, and a session. */
async function deployed(start: (urls: readonly [string, string]) => Promise<Balancer>): Promise<Deployed> {
  const redis = { url: sharedUrl as string, prefix: `ccmcp-test-${randomBytes(6).toString('hex')}` };
  const options = { allowHosts: ['mcp.example.com'] };
  const instances = await Promise.all([
    startInstance({ name: 'a', redis, options }),
    startInstance({ name: 'b', redis, options }),
  ]);
  const balancer = await start([instances[0].url, instances[1].url]);
  const headers: Record<string, string> = { ...json };
  const post = (message: object): Promise<IncomingMessage> =>
    balancer.ask('/mcp', { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  const begun = await post(initializeRequest({ capabilities: { elicitation: {} } }));
  await text(begun);
  expect(begun.statusCode).toBe(200);
  headers['Mcp-Session-Id'] = String(begun.headers['mcp-session-id']);
  await text(await post({ method: 'notifications/initialized' }));
  const call = async (tool: string): Promise<string> => {
    const response = await post({ id: 1, method: 'tools/call', params: { name: tool } });
    const body = await text(response);
    return response.statusCode === 200 ? (JSON.parse(body).result.content[0].text as string) : `${response.statusCode}`;
  };
  return { instances, balancer, post, call };
}

/** Replaces an instance, and returns the headers of requests. */
function echo(): Promise<string> {
  return listening(createServer((request, response) => response.end(JSON.stringify(request.headers))));
}

for (const { name, isThere, start } of balancers) {
  describe.skipIf(!isThere || sharedUrl === undefined)(`the configuration for ${name}`, () => {
    afterEach(stopInstances);
    afterAll(stopAll);

    it('sends requests of one session to both instances, and to the remaining one if one stops', async () => {
      const { instances, call } = await deployed(start);
      const served = new Set<string>();
      for (let each = 0; each < 6; each++) served.add(await call('who'));
      expect(served).toEqual(new Set(['a', 'b']));
      instances[0].child.kill('SIGTERM');
      const during = [];
      while (instances[0].child.exitCode === null) during.push(await call('who'));
      for (let each = 0; each < 6; each++) during.push(await call('who'));
      // Caddy before 2.11.2 does not retry a request with a body after a failed connection, until its health check
      // notices.
      const failed = during.filter((answer) => answer !== 'a' && answer !== 'b');
      expect(new Set(failed)).toEqual(new Set(name === 'Caddy' && failed.length > 0 ? ['502'] : []));
      const next = async (): Promise<string[]> => [await call('who'), await call('who'), await call('who')];
      await expect.poll(next).toEqual(['b', 'b', 'b']);
    });

    it('streams events without buffering, and sends answers to the other instance', async () => {
      const { post } = await deployed(start);
      const response = await post({ id: 'x', method: 'tools/call', params: { name: 'ask' } });
      expect(response.headers['content-type']).toMatch(/^text\/event-stream/);
      let received = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        received += part;
      });
      // The call runs until the question is answered, so this event came while it ran.
      await expect.poll(() => received).toContain('elicitation/create');
      const question = /^data: (.*elicitation\/create.*)$/m.exec(received)?.[1] ?? '';
      const result = { action: 'accept', content: { name: 'Ann' } };
      expect((await post({ id: JSON.parse(question).id, result })).statusCode).toBe(202);
      await expect.poll(() => received).toMatch(/[ab] Ann/);
    });

    it("forwards the caller's address, rejects forged ones, and hides probes", async () => {
      const url = await echo();
      const balancer = await start([url, url]);
      const headers = { ...json, 'X-Forwarded-For': '203.0.113.9' };
      const response = await balancer.ask('/mcp', { method: 'POST', headers, body: '{}' });
      expect(JSON.parse(await text(response))).toMatchObject({
        host: 'mcp.example.com',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': name === 'nginx' ? 'https' : 'http',
      });
      for (const path of ['/healthz', '/readyz', '/metrics', '/']) {
        expect([path, (await balancer.ask(path)).statusCode]).toEqual([path, 404]);
      }
    });
  });
}

describe.skipIf(!isInstalled('caddy', 'version'))('the Caddyfile', () => {
  it('is valid unchanged, with a test certificate', () => {
    const folder = ownFolder();
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, deployFile('Caddyfile'));
    const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    expect(() => checked('caddy', ['validate', '--adapter', 'caddyfile', '--config', file], env)).not.toThrow();
  });
});
