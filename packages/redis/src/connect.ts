import { Cluster, type ClusterOptions, Redis } from 'ioredis';
import { type Access, type Address, readAddress } from './address.ts';
import { type ConnectionInfo, explainError, isClosing, RedisStoreError } from './explain-error.ts';

/** An ioredis client, for one server or a cluster. */
export type Client = Redis | Cluster;

/** The connection for commands, and a factory for subscriber connections. */
export interface RedisConnection {
  client: Client;
  info: ConnectionInfo;
  /** Explains an error; without a connection, explains why there is none. */
  reasonOf(error: unknown): RedisStoreError;
  /** Connects if necessary, and checks that the server can be used. Rejects with an explained error. */
  ensureUsable(): Promise<void>;
  /** Creates another connection, which does not reconnect. */
  duplicate(): Redis;
  /** Releases what was opened here. */
  release(): void;
}

const retryDelay = (attempt: number): number => Math.min(100 * attempt, 2000);

/** Pending commands fail when a connection is lost: a command must not run twice. */
const noRetry = { maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false, autoResubscribe: false };

/** Creates a client for a URL. Connects on first use, then reconnects. */
export function connectTo(url: string, given: { prefix: string; timeoutMs: number }): RedisConnection {
  const address = readAddress(url);
  let isKnown = false;
  const options: Common = {
    ...address.options,
    ...noRetry,
    ...timeoutOptions(given.timeoutMs),
    // Without this, Sentinels are asked forever, even for an unknown master name.
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

/** A silent connection is dropped after twice the command timeout. */
function timeoutOptions(timeoutMs: number): TimeoutOptions {
  return {
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    sentinelCommandTimeout: timeoutMs,
    socketTimeout: 2 * timeoutMs,
  };
}

/** Wraps a client of the user, who keeps its ownership. */
export function wrapClient(client: Client, given: { prefix: string; timeoutMs: number }): RedisConnection {
  const { keyPrefix } = client.options;
  if (keyPrefix)
    throw new Error('A store names its keys by itself: leave keyPrefix out of the client, and give a prefix');
  const where = 'host' in client.options ? `${client.options.host}:${client.options.port}` : 'the nodes of the cluster';
  return manageClient(client, { ...given, where });
}

function manageClient(client: Client, info: ConnectionInfo): RedisConnection {
  let last: unknown;
  // Without a listener, ioredis logs to the console.
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
    // Keep host names for certificates instead of resolving them.
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
    // Every node of a cluster delivers all published messages.
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
    // A user without permission for INFO may still have all that is needed.
    if ((error as Error).message.startsWith('NOPERM')) return '';
    throw error;
  }
}
