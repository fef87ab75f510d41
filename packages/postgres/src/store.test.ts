import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Store } from '@ccmcp/core/http';
import { createStore } from '@ccmcp/core/http';
import { storeContract } from '@ccmcp/core/testing';
import pg from 'pg';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { databaseUrl, hasPostgres } from './fixtures/postgres.ts';
import { openDriver, postgresStore, type PostgresStoreOptions } from './store.ts';

const prefix = `test ${crypto.randomUUID()}`;
const life = { ttlMs: 60_000, kind: 'test', limit: 1000 };

async function open(options: Partial<PostgresStoreOptions> = {}): Promise<Store> {
  const store = await postgresStore({ url: databaseUrl, prefix, mustConnect: true, ...options });
  onTestFinished(async () => store.close());
  return store;
}

/** Reuses stores after a case has closed them, unless closing is tested. */
function reuse(open: () => Promise<Store>): { openFor(name: string): () => Promise<Store> } {
  const opened: Store[] = [];
  const idle: Store[] = [];
  afterAll(() => Promise.all(opened.map(async (store) => store.close())));
  const take = async (): Promise<Store> => {
    const store = idle.pop() ?? (await open());
    if (!opened.includes(store)) opened.push(store);
    return { ...store, close: async () => void idle.push(store) };
  };
  return { openFor: (name) => (name.includes('closed') ? open : take) };
}

/** A connection to the database that can be cut. */
async function proxy(): Promise<{ url: string; cut(): void; stop(): void; start(): Promise<void> }> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const upstream = connect(Number(port || 5432), hostname);
    for (const each of [socket, upstream]) {
      sockets.add(each);
      each.on('error', () => {}).on('close', () => sockets.delete(each));
    }
    socket.pipe(upstream).pipe(socket);
    socket.on('close', () => upstream.destroy());
    upstream.on('close', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as { port: number };
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${address.port}`;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const stop = (): void => {
    server.close();
    cut();
  };
  onTestFinished(stop);
  const start = async (): Promise<void> => {
    server.listen(address.port, '127.0.0.1');
    await once(server, 'listening');
  };
  return { url: url.href, cut, stop, start };
}

describe.runIf(hasPostgres)('a store in PostgreSQL', () => {
  afterAll(async () => {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    await client.query('delete from ccmcp_values where starts_with(key, $1)', [prefix]);
    await client.end();
  });

  const contract = reuse(() => postgresStore({ url: databaseUrl, prefix, maxConnections: 2 }));

  it.concurrent.each(storeContract)('$name', async ({ name, run }) => {
    await expect(run(contract.openFor(name))).resolves.toBeUndefined();
  });

  const derived = reuse(async () => {
    const { driver, heartbeat, topics } = openDriver({
      url: databaseUrl,
      prefix: `${prefix} derived`,
      maxConnections: 2,
    });
    await heartbeat.check();
    await topics.open();
    const { limits: _, ...nine } = driver;
    return createStore(nine);
  });

  it.concurrent.each(storeContract)('$name, with derived limits', async ({ name, run }) => {
    await expect(run(derived.openFor(name))).resolves.toBeUndefined();
  });

  it('shares nothing with a store of another prefix', async () => {
    const [one, other] = [await open(), await open({ prefix: `${prefix} other` })];
    await one.create('key', { a: '1' }, life);
    expect(await other.read('key', life)).toBeUndefined();
    const received: string[] = [];
    await other.subscribe('topic', (message) => received.push(message));
    const own: string[] = [];
    await one.subscribe('topic', (message) => own.push(message));
    await one.publish('topic', 'hello');
    await expect.poll(() => own).toEqual(['hello']);
    expect(received).toEqual([]);
    await one.remove('key');
  });

  it('keeps texts with zero characters and lone surrogates', async () => {
    const store = await open();
    const text = 'a\u0000b\uD800';
    await store.create(text, { [text]: text }, { ...life, owner: text });
    expect({ ...(await store.read(text, life)) }).toEqual({ [text]: text });
    await store.append(text, text, { maxEntries: 10, maxLength: 1000 });
    expect(await store.after(text, 0)).toEqual([{ position: 1, entry: text }]);
    const received: string[] = [];
    await store.subscribe(text, (message) => received.push(message));
    await store.publish(text, text);
    await expect.poll(() => received).toEqual([text]);
    await store.remove(text);
  });

  it('keeps short messages behind a long one', async () => {
    const [one, two] = [await open(), await open()];
    const received: number[] = [];
    await two.subscribe('long', (message) => received.push(message.length));
    for (const length of [10, 100_000, 20, 50_000, 30]) void one.publish('long', 'x'.repeat(length));
    await expect.poll(() => received).toEqual([10, 100_000, 20, 50_000, 30]);
  });

  it('reconnects, and then notifies subscribers of the gap', async () => {
    const { url, cut } = await proxy();
    const store = await open({ url });
    const other = await open();
    const events: string[] = [];
    await store.subscribe(
      'topic',
      (message) => events.push(message),
      () => events.push('missed'),
    );
    cut();
    await expect.poll(() => events).toEqual(['missed']);
    await expect.poll(() => store.status?.().ready).toBe(true);
    await other.publish('topic', 'hello');
    await expect.poll(() => events).toEqual(['missed', 'hello']);
    await store.create('after', {}, life);
    expect(await other.remove('after')).toBe(true);
  });

  it('is not ready during an outage of PostgreSQL, and recovers', async () => {
    const { url, stop, start } = await proxy();
    const store = await open({ url });
    expect(store.status?.()).toMatchObject({ ready: true });
    stop();
    await expect.poll(() => store.status?.().ready).toBe(false);
    await expect(store.read('key', life)).rejects.toThrow(/^PostgreSQL at 127\.0\.0\.1:\d+ can't be reached$/);
    await start();
    await expect.poll(() => store.status?.().ready).toBe(true);
    expect(await store.read('key', life)).toBeUndefined();
  });

  it('starts without PostgreSQL, unless it must connect', async () => {
    const { url, stop, start } = await proxy();
    stop();
    await expect(postgresStore({ url, prefix, mustConnect: true })).rejects.toThrow("can't be reached");
    const store = await open({ url, mustConnect: false });
    expect(store.status?.().ready).toBe(false);
    await start();
    await expect.poll(() => store.status?.().ready).toBe(true);
  });

  it('rejects a database that does not exist', async () => {
    const url = new URL(databaseUrl);
    url.pathname = '/ccmcp_no_such_database';
    await expect(postgresStore({ url: url.href })).rejects.toThrow('does not have this database');
  });
});

describe('options of postgresStore', () => {
  it('are checked, and a password is not repeated', async () => {
    await expect(postgresStore({ url: 'redis://u:secret@host' })).rejects.toThrow(
      'The URL of a store in PostgreSQL is postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    );
    await expect(postgresStore({ url: databaseUrl, timeoutMs: 0 })).rejects.toThrow(
      'timeoutMs of postgresStore must be a whole number from 1 to 2147483647',
    );
  });
});
