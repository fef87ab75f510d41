import { Cluster, type ClusterOptions, Redis } from 'ioredis';
import { type Access, type Address, readAddress } from './address.ts';
import { type ConnectionInfo, explainError, isClosing, RedisStoreError } from './explain-error.ts';

/** A client of ioredis, for one server or for a cluster. */
export type Client = Redis | Cluster;

/** A connection for commands, and how to make those that listen. */
export interface RedisConnection {
  client: Client;
  info: ConnectionInfo;
  /** Why something failed, in words; where there is no connection, why that is so. */
  reasonOf(error: unknown): RedisStoreError;
  /** Makes sure that there is a connection, and that what is there can be used. Rejects in words. */
  ensureUsable(): Promise<void>;
  /** A further connection, which is not made anew where it is lost. */
  duplicate(): Redis;
  /** Ends what was opened here. */
  release(): void;
}

const retryDelay = (attempt: number): number => Math.min(100 * attempt, 2000);

/** Where a connection is lost, what is under way fails: what was sent once must not be done twice. */
const noRetry = { maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false, autoResubscribe: false };

/** Makes a client for what a URL names. It connects when it is first asked to, and then goes on trying. */
export function connectTo(url: string, given: { prefix: string; timeoutMs: number }): RedisConnection {
  const address = readAddress(url);
  let isKnown = false;
  const options: Common = {
    ...address.options,
    ...noRetry,
    ...timeoutOptions(given.timeoutMs),
    // Sentinels are asked for ever otherwise, also for a name that none of them will ever know.
    sentinelRetryStrategy: (attempt) => (isKnown ? retryDelay(attempt) : null),
  };
  const client = createClient(address, options);
  const managed = manageClient(client, { ...given, where: address.where });
  const ensureUsable = async (): Promise<void> => {
    try {
      if (client.status === 'wait' || client.status === 'end') await client.connect();
    } catch (error) {
      throw managed.reasonOf(error);
    }
    await managed.ensureUsable();
    isKnown = true;
  };
  return { ...managed, ensureUsable, release: () => client.disconnect() };
}

/** One that died without a word is given up when it was silent for twice as long as an answer may take, and made anew. */
function timeoutOptions(timeoutMs: number): TimeoutOptions {
  return {
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    sentinelCommandTimeout: timeoutMs,
    socketTimeout: 2 * timeoutMs,
  };
}

/** Uses a client of the user's, which stays theirs. */
export function wrapClient(client: Client, given: { prefix: string; timeoutMs: number }): RedisConnection {
  const { keyPrefix } = client.options;
  if (keyPrefix)
    throw new Error('A store names its keys by itself: leave keyPrefix out of the client, and give a prefix');
  const where = 'host' in client.options ? `${client.options.host}:${client.options.port}` : 'the nodes of the cluster';
  return manageClient(client, { ...given, where });
}

function manageClient(client: Client, info: ConnectionInfo): RedisConnection {
  let last: unknown;
  // Without a listener, ioredis writes to the console.
  const note = (error: unknown): void => {
    last = error;
  };
  client.on('error', note);
  let isChecked = false;
  const reasonOf = (error: unknown): RedisStoreError =>
    explainError(isClosing(error) ? (last ?? error) : error, { ...info, isNew: !isChecked });
  const ensureUsable = async (): Promise<void> => {
    if (isChecked) return;
    await check(client, info).catch((error: unknown) => {
      throw reasonOf(error);
    });
    isChecked = true;
  };
  const release = (): void => void client.off('error', note);
  return { client, info, reasonOf, ensureUsable, duplicate: duplicator(client), release };
}

interface TimeoutOptions {
  connectTimeout: number;
  commandTimeout: number;
  sentinelCommandTimeout: number;
  socketTimeout: number;
}

interface Common extends Access, NoRetry, TimeoutOptions {
  sentinelRetryStrategy(attempt: number): number | null;
}

type NoRetry = typeof noRetry;

function createClient({ kind, nodes, name = '' }: Address, options: Common): Client {
  const secure = options.tls !== undefined;
  if (kind === 'cluster') {
    // Certificates name hosts, and a look-up would make addresses of them.
    const dnsLookup: ClusterOptions['dnsLookup'] = (host, callback) => callback(null, host);
    const cluster = { redisOptions: options, clusterRetryStrategy: retryDelay, lazyConnect: true };
    return new Cluster(nodes, secure ? { ...cluster, dnsLookup } : cluster);
  }
  const single = { ...options, retryStrategy: retryDelay, lazyConnect: true };
  if (kind === 'sentinel') return new Redis({ ...single, sentinels: nodes, name, enableTLSForSentinelMode: secure });
  const [{ host, port } = { host: 'localhost', port: 6379 }] = nodes;
  return new Redis({ ...single, host, port });
}

function duplicator(client: Client): () => Redis {
  const once = { ...noRetry, lazyConnect: true, retryStrategy: () => null, sentinelRetryStrategy: () => null };
  if (!(client instanceof Cluster)) return () => client.duplicate(once);
  return () => {
    // In a cluster every node tells all that is published.
    const nodes = client.nodes();
    const node = nodes[Math.floor(Math.random() * nodes.length)];
    if (node === undefined) throw new Error('Connection is closed');
    return node.duplicate({ ...once, readOnly: false });
  };
}

async function check(client: Client, info: ConnectionInfo): Promise<void> {
  const serverReport = await serverInfo(client);
  const [, version] = /^redis_version:(\d+)/m.exec(serverReport) ?? [];
  if (version !== undefined && Number(version) < 6) {
    const message = `Redis at ${info.where} is of version ${version}: the store needs 6 or later, or Valkey`;
    throw new RedisStoreError(message, 'permanent');
  }
  if (client instanceof Cluster) return;
  if (/^role:slave/m.test(serverReport)) throw explainError(new Error('READONLY'), info);
  if (/^cluster_enabled:1/m.test(serverReport)) throw explainError(new Error('MOVED '), info);
}

async function serverInfo(client: Client): Promise<string> {
  try {
    return await client.info();
  } catch (error) {
    // Who may not ask for it may still be allowed all that is needed.
    if ((error as Error).message.startsWith('NOPERM')) return '';
    throw error;
  }
}
