import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { Problem } from './report.ts';

const timeoutMs = 5000;

export interface HostPort {
  host: string;
  port: number;
}

/** Host and port of a URL. */
export function hostPortOf({ hostname, port, protocol }: URL): HostPort {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}

/** Resolves a host name. */
export async function resolveHost({ host }: HostPort): Promise<string> {
  if (isIP(host) !== 0) return `${host} is an address`;
  try {
    const { address } = await lookup(host);
    return `${host} is ${address}`;
  } catch {
    const advice = 'Check the spelling, and whether it needs another network, such as a VPN.';
    throw new Problem('unknown-host', `The host name ${host} does not resolve`, advice);
  }
}

/** Checks that a port accepts connections. */
export async function checkPort(address: HostPort): Promise<string> {
  const where = `${address.host}, port ${address.port}`;
  const outcome = await tryOpen(connect(address), 'connect');
  if (outcome === undefined) return `${where} accepts connections`;
  if (errorCode(outcome) === 'ECONNREFUSED') {
    const advice = 'Is the server running, and is this the port it says it listens on?';
    throw new Problem('nothing-listens', `Nothing listens at ${where}`, advice);
  }
  const advice = 'A firewall may be in the way, or the machine is off.';
  throw new Problem('no-way', `${where} can't be reached: ${outcome.message}`, advice);
}

/** Checks that a port speaks TLS with a trusted certificate. */
export async function checkTls(address: HostPort): Promise<string> {
  const name = isIP(address.host) === 0 ? { servername: address.host } : {};
  // Verified afterwards, to report what is wrong with it.
  const socket = connectTls({ ...address, ...name, rejectUnauthorized: false });
  const failed = await tryOpen(socket, 'secureConnect', async (open: TLSSocket) => {
    if (open.authorized) return;
    const reason = String(open.authorizationError).replace(/^Error: /, '');
    const advice = 'Use the host name in the certificate, or add its issuer with NODE_EXTRA_CA_CERTS.';
    throw new Problem('certificate', `The certificate can't be trusted: ${reason}`, advice);
  });
  if (failed === undefined) return 'TLS, with a certificate that can be trusted';
  if (failed instanceof Problem) throw failed;
  if (await speaksPlainHttp(address)) {
    const advice = `Write http:// instead of https://, or use the port where ${address.host} speaks TLS.`;
    throw new Problem('plain-port', `Port ${address.port} speaks plain HTTP, but the URL asks for TLS`, advice);
  }
  throw new Problem('no-way', `TLS could not be set up: ${failed.message}`, 'Is this really a port for HTTPS?');
}

/** Whether a port speaks TLS, with any certificate. */
export async function speaksTls(address: HostPort): Promise<boolean> {
  return (await tryOpen(connectTls({ ...address, rejectUnauthorized: false }), 'secureConnect')) === undefined;
}

async function speaksPlainHttp(address: HostPort): Promise<boolean> {
  const failed = await tryOpen(connect(address), 'connect', async (socket) => {
    socket.write(`GET / HTTP/1.1\r\nHost: ${address.host}\r\nConnection: close\r\n\r\n`);
    const [first] = (await nextData(socket)) as [Buffer];
    if (!first.toString('latin1').startsWith('HTTP/')) throw new Error('This is no HTTP');
  });
  return failed === undefined;
}

function nextData(socket: Socket): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    socket.once('data', (chunk) => resolve([chunk]));
    socket.once('close', () => reject(new Error('The connection was closed')));
  });
}

/** Waits for a socket to open, uses it, and closes it. Returns the error, if any. */
function tryOpen<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  use?: (socket: S) => Promise<void>,
): Promise<Error | undefined> {
  return new Promise<Error | undefined>((resolve) => {
    socket.setTimeout(timeoutMs, () => resolve(new Error(`no answer within ${timeoutMs / 1000} seconds`)));
    socket.once('error', resolve);
    socket.once('close', () => resolve(new Error('the connection was closed')));
    socket.once(event, () => {
      Promise.resolve(use?.(socket)).then(() => resolve(undefined), resolve);
    });
  }).finally(() => socket.destroy());
}

function errorCode(error: unknown): string | undefined {
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
