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
import type { ConnectionTerms } from '../../shared/connections.ts';
import type { Target } from '../targets.ts';
import type { Exchanges } from './exchanges.ts';
import type { Wire } from './message-tracker.ts';

/** What a client is opened with. */
export interface Opening {
  readonly target: Target;
  readonly terms: ConnectionTerms;
  readonly wire: Wire;
  readonly exchanges: Exchanges;
  readonly options: ConnectOptions;
  /** Credentials that a person got by signing in. */
  readonly auth: HttpAuth | undefined;
  /** A program has said something. */
  heard(): void;
  stderr(text: string): void;
}

/** The refusals by which a server of the oldest HTTP transport answers a POST to its address. */
const perhapsOld = new Set([400, 404, 405]);

/** Connects to a target in such a way that everything that passes is seen. */
export async function openClient(opening: Opening): Promise<Client> {
  const { target, terms, wire, exchanges, options, heard, stderr } = opening;
  if (target.kind === 'own') {
    const transport = memoryTransport(target.server);
    return connect(
      recorded(transport, (sender, message) => wire.saw(sender, JSON.stringify(message))),
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
        wire.saw(sender, text);
      },
    });
    return connect(transport, options);
  }
  const headers = { ...target.headers, ...terms.headers };
  const isGiven = Object.keys(headers).some((name) => /^authorization$/i.test(name));
  const auth = isGiven ? undefined : (opening.auth ?? (await target.auth?.(exchanges.tap)));
  const http = { headers, tap: exchanges.tap, ...(auth !== undefined && { auth }) };
  try {
    return await connect(httpTransport(target.url, http), options);
  } catch (error) {
    const mayBeOld = error instanceof HttpError && perhapsOld.has(error.status) && options.era !== 'stateless';
    if (!mayBeOld) throw error;
    try {
      return await connect(sseTransport(target.url, http), options);
    } catch {
      throw error;
    }
  }
}
