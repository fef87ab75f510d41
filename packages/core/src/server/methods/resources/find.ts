import { brief, ErrorCode, invalidParams, ProtocolError } from '../../../jsonrpc/errors.ts';
import type { CacheHints } from '../../../protocol/results.ts';
import type { Call } from '../../call.ts';

/** A resource behind an address, ready to be read. */
export interface Found {
  readonly mimeType: string | undefined;
  readonly cache: CacheHints | undefined;
  /** What it demands of its callers. */
  scopes(): readonly string[] | undefined;
  read(call: Call): unknown;
}

/** The address that a request names. */
export function uriOf(call: Call): string {
  const { uri } = call.params;
  if (typeof uri !== 'string') throw invalidParams('"uri" must be a string: the address of a resource');
  return uri;
}

/** Finds what stands behind an address: a resource, or else the first template that fits it. */
export function findResource({ server }: Pick<Call, 'server'>, uri: string): Found | undefined {
  const { resource, scopes } = server.resources.entry(uri) ?? {};
  if (resource !== undefined) {
    const { mimeType, cache } = resource;
    return { mimeType, cache, scopes: () => scopes?.of(uri), read: (call) => resource.read(uri, call) };
  }
  for (const { template, pattern, scopes } of server.templates.entries()) {
    const variables = pattern.match(uri);
    if (variables === undefined) continue;
    const { mimeType, cache } = template;
    return {
      mimeType,
      cache,
      scopes: () => scopes?.of(variables, uri),
      read: (call) => template.read(variables, call, uri),
    };
  }
  return undefined;
}

/** The scopes that the resource behind the address of a request demands. */
export function scopesOfAddress(call: Call): readonly string[] | undefined {
  const { uri } = call.params;
  return typeof uri === 'string' ? findResource(call, uri)?.scopes() : undefined;
}

/** The error for an address where nothing can be read. */
export function noSuchResource(uri: string): ProtocolError {
  return new ProtocolError(ErrorCode.ResourceNotFound, `Resource not found: ${brief(uri)}`, { uri: brief(uri) });
}
