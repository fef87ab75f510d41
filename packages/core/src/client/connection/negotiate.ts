import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { isObject } from '../../jsonrpc/message.ts';
import type { ClientCapabilities, ServerCapabilities } from '../../protocol/capabilities.ts';
import type { Implementation } from '../../protocol/identity.ts';
import { MetaKey } from '../../protocol/meta.ts';
import type { Result } from '../../protocol/results.ts';
import { handshakeRevision, handshakeVersions, revisionOf, statelessVersions } from '../../revisions/history.ts';
import type { Revision } from '../../revisions/revision.ts';
import { unref } from '../../runtime/timers.ts';
import { ConnectionError, HttpError, ResultError, TimeoutError } from '../errors.ts';
import type { RpcChannel } from './rpc-channel.ts';
import type { WaitOptions } from './pending-requests.ts';
import type { Transport } from '../transport.ts';

/** How long an endpoint is cached: its server may be upgraded without notice. */
const lifetimeMs = 60 * 60_000;
/** The maximum cached servers that only support the handshake. */
const maxServers = 1000;

/** Remembers which endpoints only support the handshake era, to skip the probe for a while. */
export class EraCache {
  /** Expiry times; the oldest entry first. */
  readonly #handshakeUntil = new Map<string, number>();

  isHandshake(endpoint: string | undefined): boolean {
    const until = endpoint === undefined ? undefined : this.#handshakeUntil.get(endpoint);
    return until !== undefined && until > performance.now();
  }

  setHandshake(endpoint: string | undefined): void {
    if (endpoint === undefined) return;
    this.#handshakeUntil.delete(endpoint);
    const [oldest] = this.#handshakeUntil.keys();
    if (this.#handshakeUntil.size >= maxServers) this.#handshakeUntil.delete(oldest as string);
    this.#handshakeUntil.set(endpoint, performance.now() + lifetimeMs);
  }

  delete(endpoint: string | undefined): void {
    if (endpoint !== undefined) this.#handshakeUntil.delete(endpoint);
  }
}

/** Shared by all clients of the process. */
const eraCache: EraCache = new EraCache();

/** The client's side of the negotiation: versions, identity and timeouts. */
export interface NegotiationOptions {
  era: 'auto' | 'handshake' | 'stateless';
  version: string | undefined;
  /** Declared capabilities; extensions may be limited to one era. */
  capabilities: Readonly<Record<Revision['era'], ClientCapabilities>>;
  clientInfo: Implementation;
  waiting: WaitOptions;
  /** How long a server may be silent after the first stateless request before the client tries a handshake. */
  probeMs: number;
}

/** The outcome of the negotiation, with what the server said of itself. */
export interface Agreement {
  revision: Revision;
  serverInfo: Implementation | undefined;
  capabilities: ServerCapabilities;
  instructions: string | undefined;
}

/**
 * Detects the server's era, unless it is given, and opens the connection. All attempts share the timeout of one
 * request.
 */
export async function negotiate(
  channel: RpcChannel,
  transport: Transport,
  given: NegotiationOptions,
): Promise<Agreement> {
  const { endpoint } = transport;
  const options = withSharedDeadline(given);
  const era = resolveEra(options, transport);
  if (era === 'handshake') return handshake(channel, transport, options);
  if (era === 'stateless') return discover(channel, options, options.version ?? newest(statelessVersions));
  if (eraCache.isHandshake(endpoint)) {
    try {
      return await handshake(channel, transport, options);
    } catch (error) {
      // The server may have been upgraded since.
      eraCache.delete(endpoint);
      if (isUnrelatedToEra(error, transport)) throw error;
    }
  }
  return probe(channel, transport, options);
}

/** Copies the options so that all requests share the timeout of one. */
function withSharedDeadline(options: NegotiationOptions): NegotiationOptions {
  const { timeoutMs } = options.waiting;
  const end = performance.now() + timeoutMs;
  const waiting = {
    ...options.waiting,
    budgetMs: timeoutMs,
    get timeoutMs() {
      return Math.max(end - performance.now(), 1);
    },
  };
  // Leaves half of the time for a handshake if the probe gets no answer.
  return { ...options, waiting, probeMs: Math.min(options.probeMs, timeoutMs / 2) };
}

function resolveEra({ era, version }: NegotiationOptions, { only }: Transport): NegotiationOptions['era'] {
  const pinned = version === undefined ? undefined : revisionOf(version);
  if (version !== undefined && pinned === undefined) {
    const known = [...handshakeVersions, ...statelessVersions].join(', ');
    throw new TypeError(`Unknown protocol version: use one of ${known}`);
  }
  const wanted = pinned?.era ?? era;
  if (only === 'handshake' && wanted === 'stateless')
    throw new TypeError('This transport does not support that version');
  return only ?? wanted;
}

async function probe(channel: RpcChannel, transport: Transport, options: NegotiationOptions): Promise<Agreement> {
  let late: Agreement | undefined;
  const asked = discover(channel, options, newest(statelessVersions)).then(
    (agreement) => {
      late = agreement;
      return agreement;
    },
    (error: unknown) => new Failure(error),
  );
  const first = await Promise.race([asked, waitForSilence(options, transport)]);
  if (first !== undefined && !(first instanceof Failure)) return first;
  if (first !== undefined && isUnrelatedToEra(first.error, transport)) throw first.error;
  if (first?.error instanceof ConnectionError) return restartAndHandshake(channel, transport, options);
  if (first !== undefined && isServerError(first.error))
    return fallBackToHandshake(channel, transport, options, first.error);
  try {
    const agreement = await handshake(channel, transport, options);
    eraCache.setHandshake(transport.endpoint);
    return agreement;
  } catch (error) {
    if (error instanceof ConnectionError && !transport.streamPerRequest)
      return restartAndHandshake(channel, transport, options);
    // An answer that arrived meanwhile shows that the server was slow, not old.
    if (late === undefined) throw error;
    return late;
  }
}

/** Some servers exit on any request before `initialize`. */
async function restartAndHandshake(
  channel: RpcChannel,
  transport: Transport,
  options: NegotiationOptions,
): Promise<Agreement> {
  await channel.start();
  return handshake(channel, transport, options);
}

/** Some servers fail on unknown methods. If the handshake fails as well, the first error is reported. */
async function fallBackToHandshake(
  channel: RpcChannel,
  transport: Transport,
  options: NegotiationOptions,
  first: HttpError,
): Promise<Agreement> {
  try {
    return await handshake(channel, transport, options);
  } catch (error) {
    throw error instanceof HttpError && !isServerError(error) ? error : first;
  }
}

class Failure {
  constructor(readonly error: unknown) {}
}

/** On a pipe, silence may mean that the server waits for `initialize`. Over HTTP it means nothing. */
function waitForSilence({ probeMs }: NegotiationOptions, { streamPerRequest }: Transport): Promise<undefined> {
  return new Promise((resolve) => {
    if (!streamPerRequest) unref(setTimeout(() => resolve(undefined), probeMs));
  });
}

/** True for an error that says nothing about the server's era. */
function isUnrelatedToEra(error: unknown, { streamPerRequest }: Transport): boolean {
  if (error instanceof ProtocolError) return modernErrors.has(error.code);
  if (error instanceof HttpError) return statusesUnrelatedToEra.has(error.status);
  if (error instanceof TimeoutError) return streamPerRequest;
  if (error instanceof NoDiscovery) return false;
  if (error instanceof NoCommonVersion) return newestCommon(handshakeVersions, error.theirs) === undefined;
  return !(error instanceof ConnectionError) || streamPerRequest;
}

const modernErrors = new Set<number>([
  ErrorCode.HeaderMismatch,
  ErrorCode.MissingClientCapability,
  ErrorCode.UnsupportedVersion,
]);

/** Statuses about credentials, timeouts and rate limits, and of proxies whose server is down. */
const statusesUnrelatedToEra = new Set([401, 403, 407, 408, 429, 502, 503, 504]);

/** True for an internal error of the server, which may concern one method only. */
function isServerError(error: unknown): error is HttpError {
  return error instanceof HttpError && error.status >= 500 && !statusesUnrelatedToEra.has(error.status);
}

async function discover(channel: RpcChannel, options: NegotiationOptions, version: string): Promise<Agreement> {
  const result = await requestDiscovery(channel, options, version).catch((error: unknown) => {
    const supported = supportedVersionsOf(error);
    const mutual = supported === undefined ? undefined : newestCommon(statelessVersions, supported);
    if (mutual === undefined || (options.version !== undefined && mutual !== options.version))
      throw toVersionError(error);
    return requestDiscovery(channel, options, mutual).catch((second: unknown) =>
      Promise.reject(toVersionError(second)),
    );
  });
  const { supportedVersions } = result;
  // Some servers answer everything with an empty result.
  if (!Array.isArray(supportedVersions))
    throw new NoDiscovery('"server/discover" was answered without versions', result);
  const offered: readonly unknown[] = supportedVersions;
  const chosen = options.version ?? newestCommon(statelessVersions, offered);
  const revision = chosen === undefined || !offered.includes(chosen) ? undefined : revisionOf(chosen);
  if (revision === undefined) throw new NoCommonVersion(offered);
  return toAgreement(revision, result, result._meta?.[MetaKey.serverInfo]);
}

function requestDiscovery(
  channel: RpcChannel,
  { capabilities, clientInfo, waiting }: NegotiationOptions,
  version: string,
): Promise<Result> {
  const revision = revisionOf(version) as Revision;
  const self = { version, capabilities: capabilities[revision.era], clientInfo, logLevel: undefined };
  const params = revision.address(undefined, self);
  return channel.request('server/discover', params, { ...waiting });
}

function supportedVersionsOf(error: unknown): unknown[] | undefined {
  if (!(error instanceof ProtocolError) || error.code !== ErrorCode.UnsupportedVersion) return undefined;
  return isObject(error.data) && Array.isArray(error.data.supported) ? error.data.supported : undefined;
}

function toVersionError(error: unknown): unknown {
  const supported = supportedVersionsOf(error);
  return supported === undefined ? error : new NoCommonVersion(supported, { cause: error });
}

/** Sends `initialize`; also after a lost session. */
export async function handshake(
  channel: RpcChannel,
  transport: Transport,
  options: NegotiationOptions,
): Promise<Agreement> {
  const { capabilities, clientInfo, waiting, version = newest(handshakeVersions) } = options;
  const params = { protocolVersion: version, capabilities: capabilities.handshake, clientInfo };
  const result = await channel.request('initialize', params, { ...waiting, quiet: true });
  const { protocolVersion } = result;
  const revision = typeof protocolVersion === 'string' ? handshakeRevision(protocolVersion) : undefined;
  if (revision === undefined || (options.version !== undefined && revision.version !== options.version)) {
    throw new NoCommonVersion([protocolVersion]);
  }
  await channel.notify('notifications/initialized');
  await transport.openStream?.();
  return toAgreement(revision, result, result.serverInfo);
}

function toAgreement(revision: Revision, result: Result, serverInfo: unknown): Agreement {
  const { capabilities, instructions } = result;
  return {
    revision,
    serverInfo: isObject(serverInfo) ? (serverInfo as unknown as Implementation) : undefined,
    capabilities: isObject(capabilities) ? capabilities : {},
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}

function newest(versions: readonly string[]): string {
  return versions.at(-1) as string;
}

function newestCommon(own: readonly string[], theirs: readonly unknown[]): string | undefined {
  return own.findLast((version) => theirs.includes(version));
}

/** The answer to `server/discover` shows that the server does not know the method. */
class NoDiscovery extends ResultError {}

/** The sides share no version, at least in the era that was tried. */
class NoCommonVersion extends ResultError {
  constructor(
    readonly theirs: readonly unknown[],
    options?: ErrorOptions,
  ) {
    const named = theirs.map((version) => String(version).slice(0, 40)).slice(0, 10);
    super(`The server supports none of our protocol versions, only ${named.join(', ')}`, undefined, options);
  }
}
