import { describe, expect, it } from 'vitest';
import type { CallerOf } from './endpoint/callers.ts';
import { post } from './fixtures/client.ts';
import { rawConnection, rawPost } from './fixtures/raw.ts';
import { start } from './fixtures/start.ts';

const KB = 1024;

function call(name: string, args: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
}

/** Callers by a header of their own. */
const callerOf: CallerOf = ({ header }) => header('x-caller');

describe('the memory limit of long requests', () => {
  it('rejects long bodies while others are read, and serves short ones', async () => {
    const { url } = await start({ maxIncoming: 150 * KB, callerShare: 100 });
    const slow = await rawConnection(url);
    const long = call('later', { text: 'x'.repeat(100 * KB) });
    slow.write(rawPost(url, long).slice(0, -10));
    const other = await rawConnection(url);
    const status = async (): Promise<number> => (await post(url, long)).status;
    await expect.poll(status).toBe(503);
    expect((await post(url, call('later', { text: 'short' }))).status).toBe(200);
    other.write(rawPost(url, long).slice(0, -10));
    expect(await other.until(/bytes of long requests are being read/)).toMatch(/^HTTP\/1.1 503 .*Retry-After: 1\r\n/s);
    slow.socket.destroy();
    await expect.poll(status).toBe(200);
  });

  it('rejects long requests until running ones are done', async () => {
    const long = call('wait', { gate: 'g', junk: 'x'.repeat(100 * KB) });
    // Objects take more than their text.
    const { url, gates } = await start({ maxIncoming: long.length + 100, callerShare: 100 });
    const first = post(url, long);
    await gates.reached('g');
    const another = call('echo', { text: 'x'.repeat(10 * KB) });
    const rejected = await post(url, another);
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await rejected.json()).toMatchObject({
      id: 1,
      error: { code: -32603, message: expect.stringMatching(/^Server busy: \d+ bytes of long requests/) },
    });
    expect((await post(url, call('echo', { text: 'short' }))).status).toBe(200);
    gates.open('g');
    expect((await first).status).toBe(200);
    expect((await post(url, another)).status).toBe(200);
  });

  it('limits the share of one caller', async () => {
    const long = call('wait', { gate: 'g', junk: 'x'.repeat(100 * KB) });
    const { url, gates } = await start({ maxIncoming: 800 * KB, callerOf });
    const greedy = Array.from({ length: 8 }, () => post(url, long, { 'X-Caller': 'greedy' }));
    await gates.reached('g');
    const rejected = await Promise.race(greedy);
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '1']);
    const another = call('echo', { text: 'x'.repeat(100 * KB) });
    expect((await post(url, another, { 'X-Caller': 'modest' })).status).toBe(200);
    gates.open('g');
    await Promise.all(greedy);
  });
});
