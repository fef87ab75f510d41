import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../test/support/free-port.ts';
import { otherProcess } from './fixtures/other-process.ts';
import { canStart, startRedis, stopAll } from './fixtures/redis.ts';
import { redisStore } from './store.ts';

const life = { ttlMs: 60_000, kind: 'test', limit: 100 };

interface Secure {
  port: number;
  /** The port of the same server for those without TLS. */
  plainPort: number;
  /** The file with its self-signed certificate. */
  certificate: string;
}

async function startSecure(): Promise<Secure> {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const about = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-days', '2'];
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', [...kind, ...about, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const port = await freePort();
  const settings = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-auth-clients', 'no'];
  const plain = await startRedis(['--tls-port', String(port), ...settings]);
  return { port, plainPort: plain.port, certificate };
}

/** A Redis that was built without TLS, and a machine without OpenSSL, can't be tested. */
function canSecure(): boolean {
  if (!canStart || spawnSync('openssl', ['version']).error !== undefined) return false;
  // It does not start, and explains what it does not know, or which options there are.
  const { stdout, stderr } = spawnSync('redis-server', ['--tls-replication', 'maybe'], { encoding: 'utf8' });
  return /must be 'yes' or 'no'/.test(stdout + stderr);
}

describe.skipIf(!canSecure())('a store in a Redis with TLS', () => {
  afterAll(stopAll);

  it('connects by rediss:// if the certificate is trusted, and delivers messages', async () => {
    const { port, certificate } = await startSecure();
    const open = await otherProcess(`rediss://localhost:${port}`, 'tls', { NODE_EXTRA_CA_CERTS: certificate });
    const [one, two] = [open(), open()];
    const received = new Promise((resolve) => void one.subscribe('topic', resolve));
    await one.create('a', { b: 'c' }, life);
    expect(await two.read('a', life)).toEqual({ b: 'c' });
    const telling = setInterval(() => void two.publish('topic', 'hello'), 50);
    expect(await received).toBe('hello');
    clearInterval(telling);
  });

  it('is reached by a client that trusts the certificate', async () => {
    const { port, certificate } = await startSecure();
    const client = new Redis({ host: '127.0.0.1', port, tls: { ca: readFileSync(certificate) } });
    onTestFinished(() => client.disconnect());
    const store = await redisStore({ client });
    onTestFinished(() => store.close());
    const received = new Promise((resolve) => void store.subscribe('topic', resolve));
    await store.create('a', { b: 'c' }, life);
    expect(await store.read('a', life)).toEqual({ b: 'c' });
    await store.publish('topic', 'hello');
    expect(await received).toBe('hello');
  });

  it('fails at the start if the certificate is not trusted', async () => {
    const { port } = await startSecure();
    const words = /^No safe connection to Redis at .* can be made.*NODE_EXTRA_CA_CERTS\)$/;
    await expect(redisStore({ url: `rediss://localhost:${port}`, timeoutMs: 1000 })).rejects.toThrow(words);
  });

  it.each(['redis', 'rediss'])('is not ready, and says what may be wrong, where %s:// is', async (scheme) => {
    const { port, plainPort } = await startSecure();
    const url = `${scheme}://localhost:${scheme === 'redis' ? port : plainPort}`;
    const store = await redisStore({ url, timeoutMs: 1000 });
    onTestFinished(() => store.close());
    expect(store.status?.()).toEqual({
      ready: false,
      reason: expect.stringContaining('it speaks TLS (rediss://) or not (redis://)'),
    });
  });
});
