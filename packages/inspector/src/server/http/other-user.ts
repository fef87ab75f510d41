import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The two ends of a connection, as its server sees it. */
export type Ends = Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>;

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];
const established = '01';
/** Root may do everything anyway, and forwards connections; nobody stands for users of another namespace. */
const trusted = [0, 65_534];

/** A table that changes while it is read may lack a row. */
const maxAttempts = 3;

const checkedSockets = new WeakSet<Socket>();

/**
 * Whether another user of this machine is at the other end of a connection, where the system tells: who sees the processes of
 * others also sees the address that their browser was started with, and the token in it.
 */
export async function isOtherUser(socket: Socket): Promise<boolean> {
  const own = process.platform === 'linux' ? process.getuid?.() : undefined;
  if (own === undefined || checkedSockets.has(socket)) return false;
  const isOther = await checkUser(socket, own);
  if (!isOther) checkedSockets.add(socket);
  return isOther;
}

async function checkUser(socket: Socket, own: number): Promise<boolean> {
  let user: number | 'gone' | undefined = 'gone';
  for (let looks = 0; user === 'gone' && looks < maxAttempts && !socket.destroyed; looks += 1) {
    const texts = await Promise.all(tables.map((table) => readFile(table, 'utf8').catch(() => '')));
    user = findUser(socket, texts.join('\n'));
  }
  if (user === 'gone') return true;
  if (user !== undefined) return user !== own && !trusted.includes(user);
  // Nothing is known of it, as where there is no such table; or it was broken off, which is heard of a moment later.
  await nextTurn();
  await nextTurn();
  return socket.destroyed;
}

interface Row {
  readonly from: string;
  readonly to: string;
  readonly state: string;
  readonly user: number;
  readonly inode: string;
}

/** The user at the other end, by the tables of Linux: `gone` where the end was closed meanwhile, undefined where nothing is known. */
export function findUser(
  { localAddress, localPort, remoteAddress, remotePort }: Ends,
  table: string,
): number | 'gone' | undefined {
  const here = `${normalizeAddress(localAddress)}:${localPort}`;
  const there = `${normalizeAddress(remoteAddress)}:${remotePort}`;
  const port = `:${(remotePort ?? 0).toString(16).toUpperCase().padStart(4, '0')} `;
  const lines = table.split('\n').filter((line) => line.includes(port));
  const rows = lines.flatMap((line) => parseRow(row.exec(line) ?? []));
  const theirs = rows.find(({ from, to }) => from === there && to === here);
  // What its process has let go of is shown as that of root.
  if (theirs !== undefined) return theirs.state === established && theirs.inode !== '0' ? theirs.user : 'gone';
  return rows.some(({ from, to }) => from === here && to === there) ? 'gone' : undefined;
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

/** The bytes of an address stand in the order of the processor, in groups of four. */
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
