import { brief, ErrorCode, headerMismatch, invalidParams, ProtocolError, quoteBriefly } from '../jsonrpc/errors.ts';
import { isObject, type Notification, type Request } from '../jsonrpc/message.ts';
import { isProtocolKey, type Meta, MetaKey } from '../protocol/meta.ts';
import { isRequestName, newestHandshake, statelessRevision, statelessVersions } from './history.ts';
import type { Caller, Revision } from './revision.ts';
import { readSender } from './stateless.ts';

/** The caller of a `ping` before the handshake, who is unknown. */
const anonymousCaller: Caller = {
  revision: newestHandshake,
  capabilities: {},
  clientInfo: undefined,
  logLevel: undefined,
};

/** The HTTP headers that repeat properties of the message. */
export interface MessageHeaders {
  /** `MCP-Protocol-Version`. */
  readonly version: string | undefined;
  /** `Mcp-Session-Id`. */
  readonly session?: string | undefined;
}

/**
 * Reads the caller and the revision from a request. A version in `_meta` selects the stateless era; the body decides,
 * and headers that contradict it are an error. Undefined for a request of a handshake session, which knows its caller.
 */
export function readCaller({ method, params }: Request | Notification, headers?: MessageHeaders): Caller | undefined {
  const meta = params?._meta;
  if (meta !== undefined) {
    if (!isObject(meta)) throw invalidParams('"_meta" must be an object');
    const version = meta[MetaKey.protocolVersion];
    if (version !== undefined) {
      if (headers !== undefined) checkVersionHeader(headers.version, version);
      return readSender(knownRevision(version), meta);
    }
  }
  if (headers !== undefined) assertNoStatelessClaim(method, headers);
  return undefined;
}

/**
 * Returns the caller of a request without a version: the client of its session, or an unknown one for a `ping`. Without
 * a session, a request with some of the `_meta` members must have all of them.
 */
export function callerInSession(
  { method, params }: Request,
  session: { readonly revision: Revision | undefined } | undefined,
  isExtensionMethod: (method: string) => boolean,
): Caller {
  if (session?.revision !== undefined) return session as Caller;
  // `readCaller` has checked that it is an object.
  const meta = params?._meta as Meta | undefined;
  if (meta !== undefined && Object.keys(meta).some(isProtocolKey)) throw incompleteClaimError(method, meta);
  if (method === 'ping') return anonymousCaller;
  throw notInitialized(method, isExtensionMethod);
}

/** The version in the `_meta` of a message; undefined if there is none. */
export function claimedVersion(params: Record<string, unknown> | undefined): unknown {
  const meta = params?._meta;
  return isObject(meta) ? meta[MetaKey.protocolVersion] : undefined;
}

/** True if a message has a version in `_meta` and so belongs to the stateless era. */
export function claimsStateless(params: Record<string, unknown> | undefined): boolean {
  return claimedVersion(params) !== undefined;
}

/** Compares the header that names the protocol version with the body. */
export function checkVersionHeader(header: string | undefined, version: unknown): void {
  if (typeof version !== 'string') return;
  if (header === undefined) throw headerMismatch('MCP-Protocol-Version is missing');
  if (header !== version) {
    throw headerMismatch(`MCP-Protocol-Version is ${quoteBriefly(header)}, the body says ${quoteBriefly(version)}`);
  }
}

/**
 * Throws if the header or the method of a request belongs to the stateless era but its body has no version. In a
 * session, such a method does not exist.
 */
function assertNoStatelessClaim(method: string, { version, session }: MessageHeaders): void {
  const headerIsNewer = version !== undefined && version > newestHandshake.version;
  if (method === 'initialize') {
    if (!headerIsNewer) return;
    throw headerMismatch(
      `"initialize" belongs to ${newestHandshake.version} and before, MCP-Protocol-Version to later`,
    );
  }
  if (headerIsNewer || (session === undefined && isStatelessOnly(method))) throw missingClaimError(method);
}

function isStatelessOnly(method: string): boolean {
  return !newestHandshake.requests.has(method) && isRequestName(method);
}

function knownRevision(version: unknown): Revision {
  if (typeof version !== 'string') throw invalidParams(`_meta["${MetaKey.protocolVersion}"] must be a string`);
  const revision = statelessRevision(version);
  if (revision !== undefined) return revision;
  throw new ProtocolError(ErrorCode.UnsupportedVersion, 'Unsupported protocol version', {
    supported: statelessVersions,
    requested: version,
  });
}

function notInitialized(method: string, isExtensionMethod: (method: string) => boolean): ProtocolError {
  if (isStatelessOnly(method)) return missingClaimError(method);
  if (!isRequestName(method) && !isExtensionMethod(method)) {
    return new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${brief(method)}`);
  }
  return new ProtocolError(
    ErrorCode.NotInitialized,
    `Server not initialized: send "initialize" first, or name the protocol version in "_meta" of each request`,
  );
}

function incompleteClaimError(method: string, meta: Meta): ProtocolError {
  const missing = [MetaKey.protocolVersion, MetaKey.clientCapabilities].filter((key) => meta[key] === undefined);
  return invalidParams(
    `"${brief(method)}" lacks ${missing.map((key) => `_meta["${key}"]`).join(' and ')}: ` +
      'name both in each request, or send "initialize" first',
  );
}

function missingClaimError(method: string): ProtocolError {
  return invalidParams(
    `"${brief(method)}" needs _meta["${MetaKey.protocolVersion}"] and _meta["${MetaKey.clientCapabilities}"]`,
  );
}
