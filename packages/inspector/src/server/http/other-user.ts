import { readFile } from 'node:fs/promises';
import { isIPv4, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The two ends of a connection, as its server sees it. */
export type Ends = Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>;

/** The second also has the IPv4 connections of programs that use IPv6 sockets. Each read costs milliseconds of kernel time. */
const tables = ['/proc/net/tcp', '/proc/net/tcp6'];
const established = '01';
/** Root, which has all permissions anyway and forwards connections, and `nobody`, which represents users of other namespaces. */
const trusted = [0, 65_534];

/** Retries: a table that changes while it is read may lack a row. */
const maxAttempts = 3;

const checkedSockets = new WeakSet<Socket>();

/**
 * Whether another user of this machine opened a connection, if the system reveals it. Users who can list processes also see the URL
 * that a browser was started with, and the token in it.
 */
export async function isOtherUser(socket: Socket): Promise<boolean> {
  const own = process.platform === 'linux' ? process.getuid?.() : undefined;
  if (own === undefined || checkedSockets.has(socket)) return false;
  const isOther = await checkUser(socket, own);
  if (!isOther) checkedSockets.add(socket);
  return isOther;
}

async function checkUser(socket: Socket, own: number): Promise<boolean> {
  let user: number | 'closed' | undefined = 'closed';
  for (let attempts = 0; user === 'closed' && attempts < maxAttempts && !socket.destroyed; attempts += 1) {
    user = await readUser(socket);
  }
  if (user === 'closed') return true;
  if (user !== undefined) return user !== own && !trusted.includes(user);
  // No table has the connection. If it was reset, the socket reports that within two turns of the event loop.
  await nextTurn();
  await nextTurn();
  return socket.destroyed;
}

/** Looks for the peer in the tables, and only in those that may have it. */
async function readUser(socket: Socket): Promise<number | 'closed' | undefined> {
  let text = '';
  let user: number | 'closed' | undefined;
  for (const table of isIPv4(normalizeAddress(socket.localAddress)) ? tables : tables.slice(1)) {
    text += `${await readFile(table, 'utf8').catch(() => '')}\n`;
    user = findUser(socket, text);
    // This end alone in the first table: the peer may be in the second.
    if (typeof user === 'number') break;
  }
  return user;
}

interface Row {
  readonly from: string;
  readonly to: string;
  readonly state: string;
  readonly user: number;
  readonly inode: string;
}

/** User id of the peer according to Linux's TCP tables: `closed` if the peer closed the socket, undefined if unknown. */
export function findUser(
  { localAddress, localPort, remoteAddress, remotePort }: Ends,
  table: string,
): number | 'closed' | undefined {
  const here = `${normalizeAddress(localAddress)}:${localPort}`;
  const there = `${normalizeAddress(remoteAddress)}:${remotePort}`;
  const port = `:${(remotePort ?? 0).toString(16).toUpperCase().padStart(4, '0')} `;
  const lines = table.split('\n').filter((line) => line.includes(port));
  const rows = lines.flatMap((line) => parseRow(row.exec(line) ?? []));
  const theirs = rows.find(({ from, to }) => from === there && to === here);
  // Linux lists sockets without a process as root's.
  if (theirs !== undefined) return theirs.state === established && theirs.inode !== '0' ? theirs.user : 'closed';
  return rows.some(({ from, to }) => from === here && to === there) ? 'closed' : undefined;
}

const row = /^ *\d+: (\w+):(\w{4}) (\w+):(\w{4}) (\w{2}) \S+ \S+ \S+ +(\d+) +\d+ (\d+)/;

function parseRow([
  ,
  from = '',
  fromPort = '',
  to = '',
  toPort = '',
  state = '',
  user = '',
  inode = '',
]: string[]): Row[] {
  if (state === '') return [];
  return [{ from: formatEndpoint(from, fromPort), to: formatEndpoint(to, toPort), state, user: Number(user), inode }];
}

function formatEndpoint(address: string, port: string): string {
  return `${parseAddress(address)}:${Number.parseInt(port, 16)}`;
}

/** Addresses are in host byte order, in groups of four bytes. */
function parseAddress(hex: string): string {
  if (hex.length === 8)
    return [...(hex.match(/../g) ?? [])]
      .toReversed()
      .map((byte) => Number.parseInt(byte, 16))
      .join('.');
  const [, four] = /^0{16}FFFF0000(\w{8})$/.exec(hex) ?? [];
  if (four !== undefined) return parseAddress(four);
  return hex === `${'0'.repeat(24)}01000000` ? '::1' : hex;
}

function normalizeAddress(address = ''): string {
  return address.replace(/^::ffff:/, '');
}
