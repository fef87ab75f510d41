import { limits } from '../../../../limits.ts';

/** How soon a client should come back whose connection ended, in milliseconds: each at another time. */
export function retryMs(): number {
  return limits.http.retryMs.value + Math.floor(Math.random() * limits.http.retrySpreadMs.value);
}

/** Writes a server-sent event. The data must be on one line, as JSON is. */
export function event(data: string, { id, name, retry }: { id?: string; name?: string; retry?: number } = {}): string {
  const head = `${name === undefined ? '' : `event: ${name}\n`}${id === undefined ? '' : `id: ${id}\n`}`;
  return `${head}${retry === undefined ? '' : `retry: ${retry}\n`}data: ${data}\n\n`;
}

/** Writes the line that tells a client how soon to come back. */
export function retryHint(ms: number): string {
  return `retry: ${ms}\n\n`;
}

/** A line that readers skip: keeps idle connections from being cut. */
export const keepAlive = ': keep-alive\n\n';
