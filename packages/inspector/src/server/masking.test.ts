import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openPage } from './fixtures/page.ts';
import type { Target } from './targets.ts';

/** A port on which nothing listens. */
async function closedPort(): Promise<AddressInfo> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  server.close();
  return address;
}

describe('masking', () => {
  it('masks secrets in labels, known targets and sign-in URLs', async () => {
    const { port } = await closedPort();
    const secret = 'hush-hush-hush';
    const url = `http://127.0.0.1:${port}/mcp?token=${secret}`;
    const resolve = async (): Promise<Target> => ({ kind: 'url', url, label: url });
    const page = await openPage({ targets: [{ label: url, kind: 'url', origin: 'given', resolve }] });
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'failed');
    await page.ask('connect', { typed: `${url}&two` });
    await page.until('connection', (event) => event.connection.id !== connection.id);
    await page.ask('doctor', { connection: connection.id });
    await page.until('doctor-end');
    await page.ask('sign-in', { connection: connection.id });
    await page.until('sign-in', ({ status }) => status === 'failed');
    expect(JSON.stringify(page.events)).not.toContain(secret);
    expect(connection.label).toBe(`http://127.0.0.1:${port}/mcp?token=[masked]`);
  });
});
