import { limits } from '@ccmcp/core';
import { type Store, StoreHeartbeat } from '@ccmcp/core/http';
import { wrapClient, type Client, connectTo, type RedisConnection } from './connect.ts';
import { explainError, type RedisStoreError } from './explain-error.ts';
import { partOperations, recordOperations, type Run } from './operations.ts';
import { scripts } from './scripts/scripts.ts';
import { Topics } from './topics.ts';
import { withTimeout } from './with-timeout.ts';

/** Options of `redisStore`. */
export interface RedisStoreOptions {
  /**
   * The URL: `redis://HOST:PORT`, `rediss://…` for TLS, `redis+cluster://HOST:PORT,HOST:PORT` or
   * `redis+sentinel://HOST:PORT,HOST:PORT/NAME`, with optional `USER:PASSWORD@` before the hosts.
   */
  url?: string;
  /** An ioredis client instead of a URL. The store does not close it. */
  client?: Client;
  /**
   * The prefix of all keys and channels, in braces. Stores with different prefixes are independent. Default: `ccmcp`.
   */
  prefix?: string;
  /** The timeout of commands. A given client has its own. Default: 5 s. */
  timeoutMs?: number;
  /** Rejects if Redis is unreachable now. Default: retries until it is available. */
  mustConnect?: boolean;
  /** Total size of all logs in characters; beyond it, the least recently written logs are evicted. Default: 16 Mi. */
  maxLogLength?: number;
  /**
   * Total size of the fields of all records in bytes; beyond it, the least recently used are evicted. Default: 8 Mi.
   */
  maxRecordLength?: number;
  /** Total size of the members of all records in characters, plus 64 per member. Default: 8 Mi. */
  maxMemberLength?: number;
}

/** The life of the mark after its last check. */
const markMs = 3_600_000;

/**
 * Opens a shared store in Redis 6 or later, or Valkey. Rejects with an explanation if the server can't be used. If it
 * is unreachable, retries until it is available; until then the store is not ready and operations reject.
 */
export async function redisStore(options: RedisStoreOptions): Promise<Store> {
  const { url, client: ownClient, prefix = 'ccmcp', timeoutMs = limits.stores.redisMs.value } = options;
  checkNumbers(options);
  if (!/^[^{}]+$/.test(prefix)) throw new Error('The prefix of a store in Redis is a text without braces');
  if ((url === undefined) === (ownClient === undefined)) throw new Error('A store in Redis takes a url or a client');
  const settings = { prefix, timeoutMs };
  const connected = ownClient === undefined ? connectTo(url as string, settings) : wrapClient(ownClient, settings);
  const { store, heartbeat, topics } = createStore(connected, options);
  await heartbeat.check();
  const { fault } = heartbeat;
  if (fault !== undefined && (options.mustConnect || fault.kind === 'permanent')) {
    await store.close();
    throw fault;
  }
  await topics.open();
  return store;
}

function createStore(
  connected: RedisConnection,
  options: RedisStoreOptions,
): { store: Store; heartbeat: StoreHeartbeat<RedisStoreError>; topics: Topics } {
  const { maxLogLength = limits.stores.maxLogLength.value } = options;
  const { maxRecordLength = limits.stores.maxRecordLength.value } = options;
  const { maxMemberLength = limits.stores.maxMemberLength.value } = options;
  const { client, info, ensureUsable, reasonOf } = connected;
  const { prefix, where, timeoutMs } = info;
  const base = `{${prefix}}`;
  const topics = new Topics(connected.duplicate, () => void heartbeat.check());
  const send: Run = ({ digest, text }, ...args) =>
    client.evalsha(digest, 1, base, ...args).catch((error: Error) => {
      if (!error.message.startsWith('NOSCRIPT')) throw error;
      return client.eval(text, 1, base, ...args);
    });
  const mark = createMarkCheck(send, topics);
  const ping = async (): Promise<void> => {
    void topics.ping(timeoutMs);
    const usable = ensureUsable().then(mark);
    await withTimeout(usable, timeoutMs).catch((error: unknown) => {
      throw reasonOf(error);
    });
  };
  const explain = (error: unknown): RedisStoreError => explainError(error, info);
  const heartbeat = new StoreHeartbeat({ ping, explain });
  const run: Run = (script, ...args) => heartbeat.run(() => send(script, ...args));
  const channelOf = (topic: string): string => `${base}:t:${topic}`;
  const notListening = `The connection over which Redis at ${where} tells of changes was lost: it is made anew`;

  const store: Store = {
    ...recordOperations(run, maxRecordLength),
    ...partOperations(run, { maxMemberLength, maxLogLength }),
    members: async (key) => new Set(await heartbeat.run(() => client.smembers(`${base}:m:${key}`))),

    async publish(topic, message) {
      if (client.isCluster) await run(scripts.publish, channelOf(topic), message);
      else await heartbeat.run(() => client.publish(channelOf(topic), message));
    },

    async subscribe(topic, listener, missed) {
      if (heartbeat.fault !== undefined) throw heartbeat.fault;
      const listening = { onMessage: (message: string) => listener(message), onMissed: missed };
      return topics.subscribe(channelOf(topic), listening).catch((error: unknown) => {
        throw explain(error);
      });
    },

    status: () =>
      heartbeat.fault === undefined && !topics.isListening ? { ready: false, reason: notListening } : heartbeat.status,

    close() {
      heartbeat.stop();
      topics.close();
      connected.release();
    },
  };
  return { store, heartbeat, topics };
}

/** Detects that Redis was emptied, which invalidates all cached state. */
function createMarkCheck(send: Run, topics: Topics): () => Promise<void> {
  let known: string | undefined;
  let { gaps } = topics;
  return async () => {
    const ownClient = `ccmcp:${crypto.randomUUID()}`;
    const found = ((await send(scripts.mark, ownClient, markMs)) as string | null) ?? ownClient;
    const isEmptied = known !== undefined && found !== known;
    known = found;
    // After a lost connection, subscribers are notified by the reconnect.
    if (isEmptied && gaps === topics.gaps && topics.isListening) topics.notifyMissed();
    ({ gaps } = topics);
  };
}

/** The maximum delay of a timer. */
const longestMs = 2 ** 31 - 1;
const largest = Number.MAX_SAFE_INTEGER;

const most = {
  timeoutMs: longestMs,
  maxLogLength: largest,
  maxRecordLength: largest,
  maxMemberLength: largest,
};

/** Throws for invalid numbers, which the Lua scripts would misinterpret. */
function checkNumbers(options: Readonly<Partial<Record<keyof typeof most, unknown>>>): void {
  for (const name of Object.keys(most) as (keyof typeof most)[]) {
    const settings = options[name];
    if (
      settings === undefined ||
      (Number.isInteger(settings) && Number(settings) > 0 && Number(settings) <= most[name])
    )
      continue;
    const shown =
      typeof settings === 'number' ? String(settings) : `of the type ${settings === null ? 'null' : typeof settings}`;
    throw new TypeError(`${name} of redisStore must be a whole number from 1 to ${most[name]}, and is ${shown}`);
  }
}
