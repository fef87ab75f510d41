import { limits } from '@ccmcp/core';
import type { Fields, Life, Store } from '@ccmcp/core/http';
import { borrow, type Client, connect } from './connect.ts';
import { explained } from './explain.ts';
import { type Script, scripts } from './scripts/script.ts';
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

/** Longer than anybody waits; Redis takes no endless times. */
const longest = 10 * 365 * 24 * 3_600_000;

/** Opens a store that instances of a server share, in Redis 6 or later or Valkey. Rejects, in words, where it can't. */
export async function redisStore(options: RedisStoreOptions): Promise<Store> {
  const { url, client: own, prefix = 'ccmcp', timeoutMs = 5000 } = options;
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

  const run = ({ digest, text }: Script, ...given: (string | number)[]): Promise<unknown> =>
    client
      .evalsha(digest, 1, base, ...given)
      .catch((error: Error) => {
        if (!error.message.startsWith('NOSCRIPT')) throw error;
        return client.eval(text, 1, base, ...given);
      })
      .catch(wrong);
  const done = async (script: Script, ...given: (string | number)[]): Promise<boolean> =>
    (await run(script, ...given)) === 1;
  const channelOf = (topic: string): string => `${base}:t:${topic}`;
  const lived = (life: Life): (string | number)[] => [...lifeOf(life), maxRecordLength];

  return {
    create: async (key, fields, life) => void (await run(scripts.create, key, ...lived(life), ...pairs(fields))),
    claim: (key, life, fields = {}) => done(scripts.claim, key, ...lived(life), ...pairs(fields)),

    async read(key, life) {
      const found = (await run(scripts.read, key, ttlOf(life), busyOf(life))) as string[] | null;
      return found === null ? undefined : fieldsIn(found);
    },

    update: (key, changes, life) => done(scripts.update, key, ttlOf(life), busyOf(life), 0, ...triples(changes)),

    async updateIf(key, expected, changes, life) {
      const conditions = triples(expected);
      const count = conditions.length / 3;
      const answer = await run(
        scripts.update,
        ...[key, ttlOf(life), busyOf(life), count],
        ...conditions,
        ...triples(changes),
      );
      return answer === 2 ? 'changed' : answer === 1;
    },

    remove: (key) => done(scripts.remove, key),
    lease: (key, holder, life) => done(scripts.lease, key, ...lived(life), holder),
    release: (key, holder) => done(scripts.remove, key, holder),

    async count(key, more, life) {
      const [count, leftMs] = (await run(scripts.count, key, ...lived(life), Math.round(more))) as [string, number];
      return { count: Number(count), leftMs };
    },

    members: async (key) => new Set(await client.smembers(`${base}:m:${key}`).catch(wrong)),

    async alter(key, { add, remove, max }) {
      const bounds = [max?.count ?? '', max?.length ?? '', max?.ownerLength ?? '', maxMemberLength];
      const answer = await run(scripts.alter, key, ...bounds, add.length, ...measured(add), ...measured(remove));
      return answer === 2 ? 'full' : answer === 1;
    },

    async append(key, entry, { maxEntries, maxLength }) {
      const number = await run(scripts.append, key, entry, entry.length, maxEntries, maxLength, maxLogLength);
      return (number as number | null) ?? undefined;
    },

    async after(key, position) {
      const found = (await run(scripts.after, key, position)) as [number, string[]] | null;
      return found?.[1].map((text, index) => ({
        position: found[0] + index,
        entry: text.slice(text.indexOf(':') + 1),
      }));
    },

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

function lifeOf(life: Life): (string | number)[] {
  const { kind, owner = '', limit, ownerLimit = limit } = life;
  return [kind, owner, ttlOf(life), busyOf(life), limit, ownerLimit];
}

/** Redis counts whole milliseconds. */
function ttlOf({ ttlMs }: Life): number {
  return Math.min(Math.max(Math.ceil(ttlMs), 0), longest);
}

function busyOf({ busyMs = 0 }: Life): number {
  return Math.min(Math.ceil(busyMs), longest);
}

function pairs(fields: Fields): string[] {
  return Object.entries(fields).flat();
}

/** Each field as its name, whether it has a value, and that. */
function triples(fields: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(fields).flatMap(([name, value]) => [name, value === undefined ? '-' : '=', value ?? '']);
}

/** Each member with its length as everybody counts it who is not Redis. */
function measured(members: readonly string[]): (string | number)[] {
  return members.flatMap((member) => [member, member.length]);
}

function fieldsIn(flat: readonly string[]): Fields {
  const fields: Record<string, string> = {};
  for (let index = 0; index < flat.length; index += 2) fields[flat[index] as string] = flat[index + 1] as string;
  return fields;
}
