import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import type { Store } from '@ccmcp/core/http';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { canStart, startRedis, stopAll } from './fixtures/redis.ts';
import { redisStore, type RedisStoreOptions } from './store.ts';
import { Topics } from './topics.ts';

const life = { ttlMs: 60_000, kind: 'test', limit: 100 };
const bounds = { maxEntries: 10, maxLength: 1000 };

async function open(options: RedisStoreOptions): Promise<Store> {
  const store = await redisStore(options);
  onTestFinished(() => store.close());
  return store;
}

/** Why a store can't be opened. */
async function rejection(options: RedisStoreOptions): Promise<string> {
  const store = await redisStore({ mustConnect: true, ...options }).catch((error: Error) => error.message);
  if (typeof store === 'string') return store;
  await store.close();
  return 'it was opened';
}

/** Something that speaks as a Redis of another kind would. */
async function pretending(info: string): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      for (const command of String(data).split('*').slice(1)) {
        const isInfo = /\r\ninfo\r\n/i.test(command);
        const isHello = /\r\nhello\r\n/i.test(command);
        socket.write(
          isInfo ? `$${info.length}\r\n${info}\r\n` : isHello ? "-ERR unknown command 'HELLO'\r\n" : '+OK\r\n',
        );
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `redis://127.0.0.1:${(server.address() as { port: number }).port}`;
}

describe('a store that can not be opened', () => {
  it.each([
    ['http://localhost', /^The URL of a Redis is written redis:\/\/HOST:PORT/],
    ['redis://', /names no host/],
    ['redis://a,b', /^Several hosts are a cluster or Sentinels/],
    ['redis://localhost:99999', /names no host/],
    ['redis://localhost/notes', /is the number of a database$/],
    ['redis+cluster://localhost/3', /one database only/],
    ['redis+sentinel://localhost', /ends with its name/],
    ['redis://:50%@localhost', /a % is %25 there$/],
  ])('explains %s', async (url, message) => {
    expect(await rejection({ url })).toMatch(message);
  });

  it('explains without showing the password', async () => {
    expect(await rejection({ url: 'redis://me:secret@localhost:1/x' })).not.toContain('secret');
    expect(await rejection({ url: 'redis://me:secret@127.0.0.1:1' })).toBe(
      'Nothing listens at 127.0.0.1:1: start Redis there, or correct the URL',
    );
  });

  it('explains invalid options', async () => {
    expect(await rejection({})).toBe('A store in Redis takes a url or a client');
    expect(await rejection({ url: 'redis://localhost', prefix: 'a{b}' })).toMatch(/without braces$/);
    const client = new Redis({ lazyConnect: true, keyPrefix: 'a' });
    expect(await rejection({ client })).toMatch(/^A store names its keys by itself/);
  });

  it('explains an outdated Redis, and one that does not respond', async () => {
    const url = await pretending('redis_version:5.0.14\r\nrole:master\r\n');
    expect(await rejection({ url })).toMatch(/is of version 5: the store needs 6 or later, or Valkey$/);
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as { port: number };
    expect(await rejection({ url: `redis://127.0.0.1:${port}`, timeoutMs: 100 })).toMatch(
      /did not answer within 100 ms/,
    );
    const sentinel = `redis+sentinel://127.0.0.1:${port}/mine`;
    expect(await rejection({ url: sentinel, timeoutMs: 100 })).toMatch(/did not answer within 100 ms/);
  });
});

describe.skipIf(!canStart)('a store in a dedicated Redis', () => {
  afterAll(stopAll);

  it('explains a missing or wrong password, and opens with the right one', async () => {
    const { port } = await startRedis(['--requirepass', 'right']);
    expect(await rejection({ url: `redis://127.0.0.1:${port}` })).toMatch(/wants a password/);
    expect(await rejection({ url: `redis://:wrong@127.0.0.1:${port}` })).toMatch(/rejects the user or the password/);
    const store = await open({ url: `redis://:right@127.0.0.1:${port}` });
    await store.create('a', {}, life);
    expect(await store.read('a', life)).toEqual({});
  });

  it('hides passwords and data in the inspected error', async () => {
    const { port } = await startRedis(['--requirepass', 'right']);
    for (const scheme of ['redis', 'redis+cluster']) {
      const url = `${scheme}://:hidden@127.0.0.1:${port}`;
      const error = await redisStore({ url, timeoutMs: 1000 }).catch((thrown: unknown) => thrown);
      expect(inspect(error, { depth: 10 })).toMatch(/rejects the user or the password[^]*WRONGPASS/);
      expect(inspect(error, { depth: 10 })).not.toContain('hidden');
    }
    const url = `redis://:right@127.0.0.1:${port}`;
    const [store, client] = [await open({ url }), new Redis(url)];
    onTestFinished(() => client.disconnect());
    await client.set('{ccmcp}:r:a', 'foreign');
    const kept = Promise.resolve(store.update('a', { secret: 'hidden' }, life)).catch((thrown: unknown) => thrown);
    expect(inspect(await kept, { depth: 10 })).toMatch(/keys of another program/);
    expect(inspect(await kept, { depth: 10 })).not.toContain('hidden');
  });

  it('notifies nobody if it is closed while it resubscribes', async () => {
    const { url } = await startRedis();
    const received: string[] = [];
    const made: Redis[] = [];
    const topics = new Topics(() => {
      const connection = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
      if (made.push(connection) === 2) connection.once('connect', () => topics.close());
      return connection;
    });
    onTestFinished(() => topics.close());
    await topics.open();
    await topics.subscribe('topic', { onMessage: () => {}, onMissed: () => received.push('missed') });
    made[0]?.disconnect();
    await expect.poll(() => made[1]?.status).toBe('end');
    expect(received).toEqual([]);
  });

  it('explains that Redis is full, and writes nothing partially', async () => {
    const { url } = await startRedis(['--maxmemory', '1500kb', '--maxmemory-policy', 'noeviction']);
    const store = await open({ url });
    await store.create('small', { a: '1' }, life);
    const large = Array.from({ length: 40 }, async (_, index) =>
      store.create(`large ${index}`, { text: 'x'.repeat(100_000) }, life),
    );
    const failed = (await Promise.allSettled(large)).flatMap((each) =>
      each.status === 'rejected' ? [each.reason] : [],
    );
    expect(failed.length).toBeGreaterThan(0);
    expect(String(failed[0])).toMatch(/is full: raise its "maxmemory", or give the store a server of its own$/);
    expect(await store.remove('small')).toBe(true);
  });

  it('explains that Redis is a replica, at the start and later', async () => {
    const primary = await startRedis();
    const replica = await startRedis(['--replicaof', `127.0.0.1 ${primary.port}`]);
    expect(await rejection({ url: replica.url })).toMatch(/is a replica that can't be written to: name the primary/);
    const store = await open({ url: primary.url });
    await store.create('a', {}, life);
    const client = new Redis(primary.url);
    onTestFinished(() => client.disconnect());
    await client.replicaof('127.0.0.1', String(replica.port));
    await expect(store.create('b', {}, life)).rejects.toThrow(/is a replica/);
  });

  it('explains that keys of another program have its prefix', async () => {
    const { url } = await startRedis();
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    await client.set('{ccmcp}:r:theirs', 'text');
    await client.lpush('{ccmcp}:r:list', 'text');
    const store = await open({ url });
    const message = /has keys of another program under the prefix "ccmcp": choose another prefix, or database$/;
    await expect(store.read('theirs', life)).rejects.toThrow(message);
    await expect(store.create('list', {}, life)).rejects.toThrow(message);
    await client.publish('{ccmcp}:t:topic', 'before');
    expect(await client.get('{ccmcp}:r:theirs')).toBe('text');
  });

  it('fails during an outage, recovers, and reports that messages may be missing', async () => {
    const redis = await startRedis();
    const [one, two] = [await open({ url: redis.url }), await open({ url: redis.url })];
    const received: string[] = [];
    await one.subscribe(
      'topic',
      (message) => received.push(message),
      () => received.push('missed'),
    );
    await two.publish('topic', 'before');
    await expect.poll(() => received).toEqual(['before']);
    await redis.stop('SIGKILL');
    await expect(two.create('a', {}, life)).rejects.toThrow(/was lost|Nothing listens/);
    expect(received).toEqual(['before']);
    await startRedis([], redis.port);
    await expect.poll(() => received).toEqual(['before', 'missed']);
    // No message is missed from now on.
    await expect
      .poll(async () =>
        Promise.resolve(two.publish('topic', 'after'))
          .then(() => true)
          .catch(() => false),
      )
      .toBe(true);
    await expect.poll(() => received).toContain('after');
    await expect
      .poll(async () => Promise.resolve(one.append('a', 'entry', bounds)).catch(() => 'not yet'))
      .toBeUndefined();
  });

  it('reports that messages may be missing after a lost connection', async () => {
    const { url } = await startRedis();
    const [one, two] = [await open({ url }), await open({ url })];
    const received: string[] = [];
    const missed = (): void => void received.push('missed');
    for (const topic of ['a', 'b'])
      await one.subscribe(topic, (message) => received.push(`${topic} ${message}`), missed);
    const stop = await one.subscribe(
      'c',
      () => {},
      () => received.push('stopped'),
    );
    stop();
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    await client.call('CLIENT', 'KILL', 'TYPE', 'PUBSUB');
    await expect.poll(() => received).toEqual(['missed', 'missed']);
    await two.publish('b', 'after');
    await expect.poll(() => received).toEqual(['missed', 'missed', 'b after']);
  });

  it('recovers after the scripts were flushed', async () => {
    const { url } = await startRedis();
    const store = await open({ url });
    await store.create('a', { b: 'c' }, life);
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    await client.script('FLUSH');
    expect(await store.read('a', life)).toEqual({ b: 'c' });
  });

  it('uses a client of the user, and leaves it open', async () => {
    const { url } = await startRedis();
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    const store = await redisStore({ client });
    await store.create('a', { b: 'c' }, life);
    await store.close();
    expect(await client.exists('{ccmcp}:r:a')).toBe(1);
  });

  it('is found by Sentinels, and explains an unknown master name', async () => {
    const redis = await startRedis();
    const sentinel = await startRedis([], undefined, [`sentinel monitor mine 127.0.0.1 ${redis.port} 1`]);
    const url = `redis+sentinel://127.0.0.1:${sentinel.port}`;
    const [store, same] = [await open({ url: `${url}/mine` }), await open({ url: redis.url })];
    await store.create('a', { b: 'c' }, life);
    expect(await same.read('a', life)).toEqual({ b: 'c' });
    expect(await rejection({ url: `${url}/other` })).toMatch(
      /^None of the Sentinels at .* knows that server, or answers$/,
    );
  });

  it('explains a mismatch between cluster and single server', async () => {
    const { url } = await startRedis(['--cluster-enabled', 'yes']);
    expect(await rejection({ url })).toMatch(/is part of a cluster: write redis\+cluster:\/\/HOST:PORT$/);
    const single = await startRedis();
    expect(await rejection({ url: single.url.replace('redis:', 'redis+cluster:'), timeoutMs: 1000 })).toMatch(
      /cluster/,
    );
  });
});
