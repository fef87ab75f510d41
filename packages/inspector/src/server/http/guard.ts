import type { IncomingMessage } from 'node:http';
import { isSameSecret } from '../is-same-secret.ts';

/** Why a request is not served. */
export interface Rejection {
  readonly status: number;
  readonly message: string;
}

const localNames = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?$/i;
const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/**
 * Rejects remote clients and foreign web pages. DNS rebinding shows in the Host header, and cross-origin requests in the Origin
 * header.
 */
export function rejectRemote({ socket, headers }: IncomingMessage): Rejection | undefined {
  if (!loopback.test(socket.remoteAddress ?? ''))
    return { status: 403, message: 'The inspector is for this machine only' };
  const host = headers.host ?? '';
  const port = localNames.exec(host)?.[1] ?? '80';
  if (!localNames.test(host) || Number(port) !== socket.localPort) {
    return {
      status: 403,
      message: 'The inspector is reached by localhost or 127.0.0.1 and its port, not by another name',
    };
  }
  const { origin } = headers;
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    return { status: 403, message: 'Other web pages are not served here' };
  }
  return undefined;
}

/** Rejects requests without the token, which only the page knows, and cross-site requests. */
export function rejectUnauthorized({ headers }: IncomingMessage, token: string): Rejection | undefined {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return { status: 403, message: 'Other web pages are not served here' };
  }
  const given = /^Bearer ([\w-]+)$/.exec(headers.authorization ?? '')?.[1];
  if (given !== undefined && isSameSecret(given, token)) return undefined;
  return {
    status: 401,
    message: 'The token is missing or wrong: open the address that was printed when the inspector started',
  };
}
