import {
  type Client,
  connect,
  type ConnectOptions,
  type HttpAuth,
  HttpError,
  httpTransport,
  memoryTransport,
  recorded,
  spawn,
  sseTransport,
} from '@ccmcp/core/client';
import type { ConnectionSettings } from '../../shared/connections.ts';
import type { Target } from '../targets.ts';
import type { Exchanges } from './exchanges.ts';
import type { MessageTracker } from './message-tracker.ts';

/** Options of `openClient`. */
export interface OpenClientOptions {
  readonly target: Target;
  readonly terms: ConnectionSettings;
  readonly wire: MessageTracker;
  readonly exchanges: Exchanges;
  readonly options: ConnectOptions;
  /** Credentials from signing in. */
  readonly auth: HttpAuth | undefined;
  /** Called when a command writes to stdout. */
  heard(): void;
  stderr(text: string): void;
}

/** Statuses by which a legacy HTTP+SSE server rejects a POST. */
const legacySseStatuses = new Set([400, 404, 405]);

/** Connects to a target, with all traffic observed. */
export async function openClient(opening: OpenClientOptions): Promise<Client> {
  const { target, terms: settings, wire: tracker, exchanges, options, heard, stderr } = opening;
  if (target.kind === 'own') {
    const transport = memoryTransport(target.server);
    return connect(
      recorded(transport, (sender, message) => tracker.onFrame(sender, JSON.stringify(message))),
      options,
    );
  }
  if (target.kind === 'command') {
    const { command, args, cwd, env, framing } = target;
    const transport = spawn(command, args, {
      name: target.label,
      ...(cwd !== undefined && { cwd }),
      ...(env !== undefined && { env: { ...env } }),
      ...(framing !== undefined && { framing }),
      stderr,
      tap: (sender, text) => {
        if (sender === 'server') heard();
        tracker.onFrame(sender, text);
      },
    });
    return connect(transport, options);
  }
  const headers = { ...target.headers, ...settings.headers };
  const isGiven = Object.keys(headers).some((name) => /^authorization$/i.test(name));
  const auth = isGiven ? undefined : (opening.auth ?? (await target.auth?.(exchanges.tap)));
  const http = { headers, tap: exchanges.tap, ...(auth !== undefined && { auth }) };
  try {
    return await connect(httpTransport(target.url, http), options);
  } catch (error) {
    const mayBeOld = error instanceof HttpError && legacySseStatuses.has(error.status) && options.era !== 'stateless';
    if (!mayBeOld) throw error;
    try {
      return await connect(sseTransport(target.url, http), options);
    } catch {
      throw error;
    }
  }
}
