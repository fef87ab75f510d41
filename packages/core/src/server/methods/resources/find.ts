import { brief, ErrorCode, invalidParams, ProtocolError } from '../../../jsonrpc/errors.ts';
import type { CacheHints } from '../../../protocol/results.ts';
import type { Call } from '../../call.ts';

/** A resource behind an address, ready to be read. */
export interface Found {
  readonly mimeType: string | undefined;
  readonly cache: CacheHints | undefined;
  read(): unknown;
}

/** The address that a request names. */
export function uriOf(call: Call): string {
  const { uri } = call.params;
  if (typeof uri !== 'string') throw invalidParams('"uri" must be a string: the address of a resource');
  return uri;
}

/** Finds what stands behind an address: a resource, or else the first template that fits it. */
export function findResource(call: Call, uri: string): Found | undefined {
  const { server } = call;
  const resource = server.resources.entry(uri)?.resource;
  if (resource !== undefined) {
    return { mimeType: resource.mimeType, cache: resource.cache, read: () => resource.read(uri, call) };
  }
  for (const { template, pattern } of server.templates.entries()) {
    const variables = pattern.match(uri);
    if (variables === undefined) continue;
    return { mimeType: template.mimeType, cache: template.cache, read: () => template.read(variables, call, uri) };
  }
  return undefined;
}

/** The error for an address where nothing can be read. */
export function noSuchResource(uri: string): ProtocolError {
  return new ProtocolError(ErrorCode.ResourceNotFound, `Resource not found: ${brief(uri)}`, { uri: brief(uri) });
}
