import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { isObject } from '../../jsonrpc/message.ts';
import type { ClientCapabilities, ServerCapabilities } from '../../protocol/capabilities.ts';
import type { Implementation } from '../../protocol/identity.ts';
import { MetaKey } from '../../protocol/meta.ts';
import type { Result } from '../../protocol/results.ts';
import { handshakeRevision, handshakeVersions, revisionOf, statelessVersions } from '../../revisions/history.ts';
import type { Revision } from '../../revisions/revision.ts';
import { letEnd } from '../../runtime/timers.ts';
import { ConnectionError, HttpError, ResultError, TimeoutError } from '../errors.ts';
import type { RpcChannel } from './rpc-channel.ts';
import type { WaitOptions } from './pending-requests.ts';
import type { Transport } from '../transport.ts';
import { limits } from '../../limits.ts';

/** An old server may be replaced by a new one, and nothing would tell. */
const lifetimeMs = limits.client.rememberMs.value;
const maxServers = limits.client.rememberedServers.value;

/** Which servers were found to have only the handshake era, by their endpoint: asks them nothing newer for a while. */
export class EraCache {
  /** When each memory ends; the oldest first. */
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

/** What all clients of this process have found out. */
const eraCache: EraCache = new EraCache();

/** What the client brings to an agreement: what it wants to speak, who it is, and how long it waits. */
export interface NegotiationOptions {
  era: 'auto' | 'handshake' | 'stateless';
  version: string | undefined;
  /** What the client declares, which extensions may restrict to one era. */
  capabilities: Readonly<Record<Revision['era'], ClientCapabilities>>;
  clientInfo: Implementation;
  waiting: WaitOptions;
  /** How long a server may be silent to the stateless era's first question before it is taken for an old one. */
  probeMs: number;
}

/** What client and server agreed on, and what the server said of itself. */
export interface Agreement {
  revision: Revision;
  serverInfo: Implementation | undefined;
  capabilities: ServerCapabilities;
  instructions: string | undefined;
}

/**
 * Finds out which era the server lives in, unless that is given, and opens the conversation. All attempts together take as long
 * as one request may.
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
      // The server may have been renewed since.
      eraCache.delete(endpoint);
      if (isUnrelatedToEra(error, transport)) throw error;
    }
  }
  return probe(channel, transport, options);
}

/** The same terms, by which each request has what is left of the time of one. */
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
  // Half of it is left for a handshake, should the first question meet with silence.
  return { ...options, waiting, probeMs: Math.min(options.probeMs, timeoutMs / 2) };
}

function resolveEra({ era, version }: NegotiationOptions, { only }: Transport): NegotiationOptions['era'] {
  const pinned = version === undefined ? undefined : revisionOf(version);
  if (version !== undefined && pinned === undefined) {
    const known = [...handshakeVersions, ...statelessVersions].join(', ');
    throw new TypeError(`Unknown protocol version: use one of ${known}`);
  }
  const wanted = pinned?.era ?? era;
  if (only === 'handshake' && wanted === 'stateless') throw new TypeError('This transport is older than that version');
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
    // It was slow, not old, if it has answered by now.
    if (late === undefined) throw error;
    return late;
  }
}

/** Some servers end when they are asked anything before `initialize`. */
async function restartAndHandshake(
  channel: RpcChannel,
  transport: Transport,
  options: NegotiationOptions,
): Promise<Agreement> {
  await channel.start();
  return handshake(channel, transport, options);
}

/** Some servers break at what they don't know; one that is broken altogether is told of by its first words. */
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

/** Over a pipe, silence may mean that the server waits for `initialize`. Over HTTP it means nothing. */
function waitForSilence({ probeMs }: NegotiationOptions, { streamPerRequest }: Transport): Promise<undefined> {
  return new Promise((resolve) => {
    if (!streamPerRequest) letEnd(setTimeout(() => resolve(undefined), probeMs));
  });
}

/** True for a failure that says nothing about the server's era. */
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

/** The statuses for want of credentials, time or patience, and those of a server that is not there. */
const statusesUnrelatedToEra = new Set([401, 403, 407, 408, 429, 502, 503, 504]);

/** True for a failure of the server's own code, which may be about one method only. */
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
  // Some servers answer anything with an empty result.
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

/** Introduces the client with `initialize`; also when a session has been lost. */
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

/** The server answered `server/discover` as one does that does not know it. */
class NoDiscovery extends ResultError {}

/** The two sides have no version in common, at least not in the era that was tried. */
class NoCommonVersion extends ResultError {
  constructor(
    readonly theirs: readonly unknown[],
    options?: ErrorOptions,
  ) {
    const named = theirs.map((version) => String(version).slice(0, 40)).slice(0, 10);
    super(`The server speaks no protocol version of ours, but ${named.join(', ')}`, undefined, options);
  }
}
