import {
  type Client,
  connect,
  type ConnectOptions,
  HttpError,
  httpTransport,
  spawn,
  sseTransport,
} from '@ccmcp/core/client';
import { probeTap } from './http.ts';
import type { ProbeTarget } from './target.ts';

/** Options of the probe's client. */
export interface ProbeClientOptions {
  /** Headers of every HTTP request, including credentials. */
  readonly headers: Record<string, string>;
  readonly era: 'auto' | 'handshake' | 'stateless';
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Statuses by which a legacy HTTP+SSE server rejects a POST. */
const legacySseStatuses = new Set([400, 404, 405]);

/** Opens a non-interactive client. */
export async function openClient(
  target: ProbeTarget,
  { headers, era, timeoutMs, signal }: ProbeClientOptions,
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
  return connectHttp(target.url, { headers, ...(tap && { tap }) }, options);
}

/** Connects over Streamable HTTP, with the legacy HTTP+SSE transport as a fallback. */
export async function connectHttp(
  url: string,
  http: NonNullable<Parameters<typeof httpTransport>[1]>,
  options: ConnectOptions,
): Promise<Client> {
  try {
    return await connect(httpTransport(url, http), options);
  } catch (error) {
    const mayBeLegacy =
      error instanceof HttpError && legacySseStatuses.has(error.status) && options.era !== 'stateless';
    if (!mayBeLegacy) throw error;
    return await connect(sseTransport(url, http), options).catch(() => Promise.reject(error));
  }
}
