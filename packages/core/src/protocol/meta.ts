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
 * A key of `_meta` that this implementation adds, the idempotency key: calls of a tool with the same text are served
 * once, and each gets the result.
 */
export const idempotencyMetaKey = 'io.github.ccmcp/idempotencyKey';

/** Keys of `_meta` that apply to one request only, or describe the client. */
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
