/** Keys of `_meta` that the protocol itself defines. */
export const MetaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/**
 * A key of `_meta` that this implementation adds: calls of a tool that carry the same text there are one call, which is served once
 * and answered each time.
 */
export const idempotencyMetaKey = 'io.github.ccmcp/idempotencyKey';

/** Keys of `_meta` that are good for one request only, or say what is known of the client elsewhere. */
export const requestMetaKeys: readonly string[] = [
  idempotencyMetaKey,
  'progressToken',
  MetaKey.protocolVersion,
  MetaKey.clientCapabilities,
  MetaKey.clientInfo,
  MetaKey.logLevel,
];

/** Metadata of a message, under `_meta`. */
export type Meta = Record<string, unknown>;

/** True for a key of `_meta` that is the protocol's own. */
export function isProtocolKey(key: string): boolean {
  return key.startsWith('io.modelcontextprotocol/');
}
