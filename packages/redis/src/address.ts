/** A parsed Redis URL. */
export interface Address {
  kind: 'single' | 'sentinel' | 'cluster';
  /** The hosts, for messages. */
  where: string;
  /** The server, or the initial nodes of a cluster or Sentinels. */
  nodes: Host[];
  options: Access;
  /** The master name of Sentinel. */
  name?: string;
}

interface Host {
  host: string;
  port: number;
}

/** Credentials and options of the URL. */
export interface Access {
  username?: string;
  password?: string;
  /** The number of a database. */
  db?: number;
  tls?: object;
}

const forms =
  'redis://HOST:PORT, rediss://… for TLS, redis+cluster://HOST:PORT,HOST:PORT or redis+sentinel://HOST:PORT,HOST:PORT/NAME';

const pattern = /^(rediss?)(?:\+(cluster|sentinel))?:\/\/(?:([^@/]*)@)?([^@/?#]*)(?:\/([^?#]*))?$/;

/** Parses a Redis URL. Errors never contain the password. */
export function readAddress(url: string): Address {
  const parts = pattern.exec(url);
  if (parts === null) throw new Error(`The URL of a Redis is written ${forms}`);
  const [, scheme, kind = 'single', user, hosts = '', path = ''] = parts;
  const nodes = hosts.split(',').map((host) => parseHost(host, kind === 'sentinel' ? 26_379 : 6379));
  if (kind === 'single' && nodes.length > 1)
    throw new Error(`Several hosts are a cluster or Sentinels: write ${forms}`);
  const [name, db] = kind === 'sentinel' ? path.split('/') : [undefined, path];
  if (name === '') throw new Error(`The URL of a Redis behind Sentinels ends with its name there: ${forms}`);
  return {
    kind: kind as Address['kind'],
    where: hosts,
    nodes,
    options: { ...parseCredentials(user), ...databaseNumber(db, kind), ...(scheme === 'rediss' && { tls: {} }) },
    ...(name !== undefined && { name }),
  };
}

function parseHost(text: string, defaultPort: number): Host {
  const [, host, port = String(defaultPort)] = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw new Error(`The URL of a Redis names no host that can be understood: write ${forms}`);
  }
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

function parseCredentials(text: string | undefined): Access {
  if (text === undefined) return {};
  const colon = text.indexOf(':');
  const username = decodePart(colon === -1 ? text : text.slice(0, colon));
  const password = decodePart(colon === -1 ? '' : text.slice(colon + 1));
  return { ...(username !== '' && { username }), ...(password !== '' && { password }) };
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('The user or password in the URL of a Redis is not written as in a URL: a % is %25 there');
  }
}

function databaseNumber(db = '', kind: string): Access {
  if (db === '') return {};
  if (!/^\d{1,5}$/.test(db)) throw new Error('What follows the host in the URL of a Redis is the number of a database');
  if (kind === 'cluster' && db !== '0') throw new Error('A Redis cluster has one database only: leave its number out');
  return { db: Number(db) };
}
