import { type Client, connect, HttpError, httpTransport, spawn, sseTransport } from '@ccmcp/core/client';
import { probeTap } from './http.ts';
import type { ProbeTarget } from './target.ts';

/** Options of the probe's client. */
export interface ProbeOpening {
  /** Headers of every HTTP request, including credentials. */
  readonly headers: Record<string, string>;
  readonly era: 'auto' | 'handshake' | 'stateless';
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Statuses by which a legacy HTTP+SSE server rejects a POST. */
const legacySseStatuses = new Set([400, 404, 405]);

/** Opens a non-interactive client; falls back to HTTP+SSE. */
export async function openClient(
  target: ProbeTarget,
  { headers, era, timeoutMs, signal }: ProbeOpening,
): Promise<Client> {
  const clientInfo = { name: 'ccmcp-probe', version: '1' };
  const options = { clientInfo, era, timeoutMs, signal, onWarning: () => {} };
  if (target.kind === 'command') {
    const { command, args, cwd, env = process.env, framing } = target;
    const set = Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const started = { env: Object.fromEntries(set), ...(cwd !== undefined && { cwd }), ...(framing && { framing }) };
    return connect(spawn(command, args, { ...started, stderr: () => {} }), options);
  }
  const tap = probeTap.getStore();
  const http = { headers, ...(tap && { tap }) };
  try {
    return await connect(httpTransport(target.url, http), options);
  } catch (error) {
    const mayBeOld = error instanceof HttpError && legacySseStatuses.has(error.status) && era !== 'stateless';
    if (!mayBeOld) throw error;
    return await connect(sseTransport(target.url, http), options).catch(() => Promise.reject(error));
  }
}
