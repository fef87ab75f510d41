import { limits } from '../../../../limits.ts';

/** Jitter, so that the clients of a lost instance do not all reconnect simultaneously. */
const retryJitterMs = 1000;

/** The reconnect delay of a client whose connection ended, in milliseconds, with jitter. */
export function retryMs(): number {
  return limits.http.retryMs.value + Math.floor(Math.random() * retryJitterMs);
}

/** Encodes a server-sent event. The data must be on one line, as JSON is. */
export function event(data: string, { id, name, retry }: { id?: string; name?: string; retry?: number } = {}): string {
  const head = `${name === undefined ? '' : `event: ${name}\n`}${id === undefined ? '' : `id: ${id}\n`}`;
  return `${head}${retry === undefined ? '' : `retry: ${retry}\n`}data: ${data}\n\n`;
}

/** Encodes the reconnect delay of a client. */
export function retryHint(ms: number): string {
  return `retry: ${ms}\n\n`;
}

/** The heartbeat of a stream: a comment that clients skip, so that proxies don't close idle connections. */
export const keepAlive = ': keep-alive\n\n';
