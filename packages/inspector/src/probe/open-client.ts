import { type Client, connect, HttpError, httpTransport, spawn, sseTransport } from '@ccmcp/core/client';
import { probeTap } from './http.ts';
import type { ProbeTarget } from './target.ts';

/** How a client is opened for a probe. */
export interface ProbeOpening {
  /** What is sent with each request over HTTP, credentials included. */
  readonly headers: Record<string, string>;
  readonly era: 'auto' | 'handshake' | 'stateless';
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The refusals by which a server of the oldest HTTP transport answers a POST to its address. */
const perhapsOld = new Set([400, 404, 405]);

/** Opens a client that asks nobody anything, also where a server speaks the HTTP transport of the first revision. */
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
    const mayBeOld = error instanceof HttpError && perhapsOld.has(error.status) && era !== 'stateless';
    if (!mayBeOld) throw error;
    return await connect(sseTransport(target.url, http), options).catch(() => Promise.reject(error));
  }
}
