import { Cluster, type ClusterOptions, Redis } from 'ioredis';
import { type Access, type Address, readAddress } from './address.ts';
import { type Circumstances, explained } from './explain.ts';

/** A client of ioredis, for one server or for a cluster. */
export type Client = Redis | Cluster;

/** A connection for commands, and how to make those that listen. */
export interface Connected {
  client: Client;
  circumstances: Circumstances;
  /** A further connection, which is not made anew where it is lost. */
  another(): Redis;
  /** Ends what was opened here. */
  end(): void;
}

const patience = (attempt: number): number => Math.min(100 * attempt, 2000);

/** Where a connection is lost, what is under way fails: what was sent once must not be done twice. */
const careful = { maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false, autoResubscribe: false };

/** Connects to where a URL says. Rejects in words. */
export async function connect(url: string, given: { prefix: string; timeoutMs: number }): Promise<Connected> {
  const address = readAddress(url);
  const circumstances = { ...given, where: address.where };
  const { timeoutMs } = given;
  const options = { ...address.options, ...careful, ...timesOf(timeoutMs) };
  let isOpen = false;
  // Sentinels are asked for ever otherwise, also for a name that none of them will ever know.
  const sentinelRetryStrategy = (attempt: number): number | null => (isOpen ? patience(attempt) : null);
  const client = clientOf(address, { ...options, sentinelRetryStrategy });
  let last: unknown;
  client.on('error', (error: unknown) => {
    last = error;
  });
  const connected = { client, circumstances, another: anotherOf(client), end: () => client.disconnect() };
  try {
    await client.connect();
    await check(connected);
    isOpen = true;
    return connected;
  } catch (error) {
    client.disconnect();
    if (error instanceof Unfit) throw error;
    throw explained(isClosing(error) ? (last ?? error) : error, circumstances);
  }
}

/** One that died without a word is given up when it was silent for twice as long as an answer may take, and made anew. */
function timesOf(timeoutMs: number): Times {
  return {
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    sentinelCommandTimeout: timeoutMs,
    socketTimeout: 2 * timeoutMs,
  };
}

/** Uses a client of the user's, which stays theirs. */
export async function borrow(client: Client, given: { prefix: string; timeoutMs: number }): Promise<Connected> {
  const { keyPrefix } = client.options;
  if (keyPrefix)
    throw new Error('A store names its keys by itself: leave keyPrefix out of the client, and give a prefix');
  const where = 'host' in client.options ? `${client.options.host}:${client.options.port}` : 'the nodes of the cluster';
  const circumstances = { ...given, where };
  // Without a listener, ioredis writes to the console.
  const ignore = (): void => {};
  client.on('error', ignore);
  const connected = { client, circumstances, another: anotherOf(client), end: () => void client.off('error', ignore) };
  try {
    await check(connected);
    return connected;
  } catch (error) {
    connected.end();
    throw error instanceof Unfit ? error : explained(error, circumstances);
  }
}

interface Times {
  connectTimeout: number;
  commandTimeout: number;
  sentinelCommandTimeout: number;
  socketTimeout: number;
}

interface Common extends Access, Careful, Times {
  sentinelRetryStrategy(attempt: number): number | null;
}

type Careful = typeof careful;

function clientOf({ kind, nodes, name = '' }: Address, options: Common): Client {
  const secure = options.tls !== undefined;
  if (kind === 'cluster') {
    // Certificates name hosts, and a look-up would make addresses of them.
    const dnsLookup: ClusterOptions['dnsLookup'] = (host, callback) => callback(null, host);
    const cluster = { redisOptions: options, clusterRetryStrategy: patience, lazyConnect: true };
    return new Cluster(nodes, secure ? { ...cluster, dnsLookup } : cluster);
  }
  const single = { ...options, retryStrategy: patience, lazyConnect: true };
  if (kind === 'sentinel') return new Redis({ ...single, sentinels: nodes, name, enableTLSForSentinelMode: secure });
  const [{ host, port } = { host: 'localhost', port: 6379 }] = nodes;
  return new Redis({ ...single, host, port });
}

function anotherOf(client: Client): () => Redis {
  const once = { ...careful, lazyConnect: true, retryStrategy: () => null, sentinelRetryStrategy: () => null };
  if (!(client instanceof Cluster)) return () => client.duplicate(once);
  return () => {
    // In a cluster every node tells all that is published.
    const nodes = client.nodes();
    const node = nodes[Math.floor(Math.random() * nodes.length)];
    if (node === undefined) throw new Error('Connection is closed');
    return node.duplicate({ ...once, readOnly: false });
  };
}

/** A Redis that answers and is of no use all the same. */
class Unfit extends Error {}

async function check({ client, circumstances: { where } }: Connected): Promise<void> {
  const info = await infoOf(client);
  const [, version] = /^redis_version:(\d+)/m.exec(info) ?? [];
  if (version !== undefined && Number(version) < 6) {
    throw new Unfit(`Redis at ${where} is of version ${version}: the store needs 6 or later, or Valkey`);
  }
  if (client instanceof Cluster) return;
  if (/^role:slave/m.test(info)) throw explainedAs('READONLY', where);
  if (/^cluster_enabled:1/m.test(info)) throw explainedAs('MOVED ', where);
}

function explainedAs(text: string, where: string): Unfit {
  return new Unfit(explained(new Error(text), { where, prefix: '', timeoutMs: 0 }).message);
}

async function infoOf(client: Client): Promise<string> {
  try {
    return await client.info();
  } catch (error) {
    // Who may not ask for it may still be allowed all that is needed.
    if ((error as Error).message.startsWith('NOPERM')) return '';
    throw error;
  }
}

function isClosing(error: unknown): boolean {
  return /Connection is closed|None of startup nodes/i.test((error as Error).message);
}
