import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tool } from '../../../../server/define/define.ts';
import type { Gates } from '../fixtures/gates.ts';
import { post, statelessClient } from '../fixtures/client.ts';
import { rawConnection, rawPost } from '../fixtures/raw.ts';
import { testServer } from '../fixtures/server.ts';
import { type HttpOptions, httpHandler } from '../handler.ts';

const MB = 1024 * 1024;

interface Served {
  url: string;
  /** How many connections are open. */
  open(): Promise<number>;
  /** How often a tool was called. */
  calls(): number;
  gates: Gates;
}

async function serve(options: HttpOptions): Promise<Served> {
  const { server, gates } = testServer();
  const input = { type: 'object', properties: { gate: { type: 'string' }, size: { type: 'integer' } } } as const;
  server.tools.add(
    tool('late', { input }, async ({ gate = '', size = 0 }, { signal }) => {
      await gates.wait(gate, signal);
      return 'x'.repeat(size);
    }),
  );
  let calls = 0;
  server.use((call, next) => {
    if (call.method === 'tools/call') calls += 1;
    return next();
  });
  const handler = httpHandler(server, options);
  const http = createServer(handler.node);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(async () => {
    http.closeAllConnections();
    http.close();
    await handler.close({ graceMs: 0 });
  });
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    open: () => new Promise((resolve) => http.getConnections((_, count) => resolve(count))),
    calls: () => calls,
    gates,
  };
}

function call(name: string, args: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
}

const long = call('big', { size: 100 * 1024 });
const big = call('big', { size: 15 * MB });

/** A client that sends a request and never reads. */
async function deaf(url: string, body = big, times = 1): Promise<void> {
  const connection = await rawConnection(url);
  connection.socket.pause();
  connection.write(rawPost(url, body).repeat(times));
}

describe('an unread response', () => {
  it('is dropped after the stall timeout, with its connection', async () => {
    const { url, open } = await serve({ stalledMs: 50 });
    await deaf(url);
    await expect.poll(open).toBe(1);
    await expect.poll(open).toBe(0);
  });

  it('blocks further long responses on its connection', async () => {
    const { url, open, calls } = await serve({});
    await deaf(url, call('big', { size: MB }), 200);
    await expect.poll(calls).toBeGreaterThan(1);
    await expect.poll(open).toBe(0);
    expect(calls()).toBeLessThan(40);
  });

  it('blocks only long responses of others, until it is dropped (RX-06)', async () => {
    const { url } = await serve({ maxUnsent: MB });
    const busy = await untilBusy(url);
    expect(busy.headers.get('retry-after')).toBe('1');
    expect(await busy.text()).toContain('too many answers wait for their clients to read them');
    expect((await post(url, call('echo', { text: 'x' }))).status).toBe(200);
    await expect.poll(async () => (await post(url, long)).status).toBe(200);
  });

  it('blocks long responses of running calls, but not short ones', async () => {
    const { url, gates } = await serve({ maxUnsent: MB });
    let round = 0;
    const late = async (): Promise<number[]> => {
      round += 1;
      const calls = [statelessClient(url).sendCall('late', { gate: `${round}`, size: MB })];
      calls.push(statelessClient(url).sendCall('late', { gate: `${round}`, size: 10 }));
      await gates.reached(`${round}`);
      await untilBusy(url);
      gates.open(`${round}`);
      return Promise.all(calls.map(async (answer) => (await answer).status));
    };
    await expect.poll(late).toEqual([503, 200]);
  });
});

/** Lets clients ask and not read until a long answer is rejected. */
async function untilBusy(url: string): Promise<Response> {
  for (;;) {
    await deaf(url);
    const response = await post(url, long);
    if (response.status === 503) return response;
  }
}
