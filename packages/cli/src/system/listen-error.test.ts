import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createMcp } from '@ccmcp/core';
import { serveHttp } from '@ccmcp/core/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenError } from './listen-error.ts';

/** The error of listening at this address. */
async function failure(options: { host?: string; port: number }): Promise<unknown> {
  const server = createMcp({ name: 'n', version: '1' });
  return serveHttp(server, { publicWithoutAuth: true, ...options }).then(
    (service) => service.close(),
    (error: unknown) => error,
  );
}

describe('a server that can not listen', () => {
  it('reports that the port is in use, and what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;

    expect(listenError(await failure({ port }))?.message).toMatch(
      new RegExp(`^port ${port} of 127\\.0\\.0\\.1 is in use: .*--http ${port + 1}.*--http 0`),
    );
  });

  it('names the option of the admin address if that is in use', () => {
    const facts = { code: 'EADDRINUSE', syscall: 'listen', address: '127.0.0.1', port: 9464 };
    const error = Object.assign(new Error('x'), facts);
    expect(listenError(error, { adminPort: 9464 })?.message).toMatch(/in use: .*--admin 9465.*--admin 0/);
    expect(listenError(error, { adminPort: 1 })?.message).toMatch(/--http 9465/);
    expect(listenError(error, { flag: '--port' })?.message).toMatch(/--port 9465, or any free one without --port$/);
  });

  it('reports that the address belongs to another machine', async () => {
    expect(listenError(await failure({ host: '192.0.2.1', port: 0 }))?.message).toMatch(
      /does not have the address 192\.0\.2\.1/,
    );
  });

  it.each([
    [{ code: 'EACCES', syscall: 'listen', address: '127.0.0.1', port: 80 }, /^port 80 of 127\.0\.0\.1 .*above 1023/],
    [{ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'nowhere' }, /the host name nowhere can't be resolved/],
  ])('explains %j', (facts, message) => {
    expect(listenError(Object.assign(new Error('x'), facts))?.message).toMatch(message);
  });

  it.each([
    new Error('x'),
    Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'open' }),
    'text',
    { syscall: 'listen' },
  ])('leaves other errors unchanged: %s', (error) => {
    expect(listenError(error)).toBeUndefined();
  });
});
