import { limits } from '@ccmcp/core';
import type { Store } from '@ccmcp/core/http';
import { borrow, type Client, connect } from './connect.ts';
import { explained } from './explain.ts';
import { partOperations, recordOperations, type Run } from './operations.ts';
import { scripts } from './scripts/script.ts';
import { Topics } from './topics.ts';

/** Where a store in Redis is, and how much it may hold. */
export interface RedisStoreOptions {
  /**
   * Where Redis is: `redis://HOST:PORT`, `rediss://…` for TLS, `redis+cluster://HOST:PORT,HOST:PORT` or
   * `redis+sentinel://HOST:PORT,HOST:PORT/NAME`, with `USER:PASSWORD@` before the hosts.
   */
  url?: string;
  /** A client of ioredis, in place of a URL. It stays yours, and open when the store is closed. */
  client?: Client;
  /** What all keys and channels begin with, in braces. Stores with different ones have nothing in common. Default: `ccmcp`. */
  prefix?: string;
  /** How long Redis may take to answer. A given client has its own. Default: 5 s. */
  timeoutMs?: number;
  /** How many characters all logs together may hold; of more, the logs go that were written longest ago. Default: 16 Mi. */
  maxLogLength?: number;
  /** How many bytes the fields of all records may hold; of more, those go that were used longest ago. Default: 8 Mi. */
  maxRecordLength?: number;
  /** How many characters the members of all records may hold, with 64 for each beside its own. Default: 8 Mi. */
  maxMemberLength?: number;
}

/** Opens a store that instances of a server share, in Redis 6 or later or Valkey. Rejects, in words, where it can't. */
export async function redisStore(options: RedisStoreOptions): Promise<Store> {
  const { url, client: own, prefix = 'ccmcp', timeoutMs = limits.stores.redisMs.value } = options;
  const { maxLogLength = limits.stores.maxLogLength.value } = options;
  const { maxRecordLength = limits.stores.maxRecordLength.value } = options;
  const { maxMemberLength = limits.stores.maxMemberLength.value } = options;
  if (!/^[^{}]+$/.test(prefix)) throw new Error('The prefix of a store in Redis is a text without braces');
  if ((url === undefined) === (own === undefined)) throw new Error('A store in Redis takes a url or a client');

  const given = { prefix, timeoutMs };
  const connected = own === undefined ? await connect(url as string, given) : await borrow(own, given);
  const { client, circumstances } = connected;
  const base = `{${prefix}}`;
  const topics = new Topics(connected.another);
  const wrong = (error: unknown): never => {
    throw explained(error, circumstances);
  };
  await topics.open().catch((error: unknown) => {
    topics.close();
    connected.end();
    return wrong(error);
  });

  const run: Run = ({ digest, text }, ...args) =>
    client
      .evalsha(digest, 1, base, ...args)
      .catch((error: Error) => {
        if (!error.message.startsWith('NOSCRIPT')) throw error;
        return client.eval(text, 1, base, ...args);
      })
      .catch(wrong);
  const channelOf = (topic: string): string => `${base}:t:${topic}`;

  return {
    ...recordOperations(run, maxRecordLength),
    ...partOperations(run, { maxMemberLength, maxLogLength }),
    members: async (key) => new Set(await client.smembers(`${base}:m:${key}`).catch(wrong)),

    async publish(topic, message) {
      if (client.isCluster) await run(scripts.publish, channelOf(topic), message);
      else await client.publish(channelOf(topic), message).catch(wrong);
    },

    subscribe: (topic, listener, missed) =>
      topics.subscribe(channelOf(topic), { hear: (message) => listener(message), missed }).catch(wrong),

    close() {
      topics.close();
      connected.end();
    },
  };
}
