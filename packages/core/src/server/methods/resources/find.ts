import { brief, ErrorCode, invalidParams, ProtocolError } from '../../../jsonrpc/errors.ts';
import { parseUri } from '../../../protocol/uri-template.ts';
import type { CacheHints } from '../../../protocol/results.ts';
import type { Call } from '../../call/call.ts';
import type { ResourceEntry, TemplateEntry } from '../../define/resource-entry.ts';
import type { ScopeRule } from '../../scopes/scope-rule.ts';
import { logElevation } from '../../scopes/scope-response.ts';
import { isLimited, isRowSecretFrom, isSecretFrom } from '../../scopes/check-scopes.ts';
import { checkAddress, isAddress } from '../../subscriptions.ts';

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
  checkAddress(uri);
  return uri;
}

/**
 * Finds what stands behind an address for a caller: a resource, or else the first template that fits it. What is secret from
 * them is passed over, as if it were not there.
 */
export function findResource({ server, exchange }: Pick<Call, 'server' | 'exchange'>, uri: string): Found | undefined {
  const { resource, scopes } = server.resources.entry(uri) ?? {};
  if (resource !== undefined && !(scopes?.secret && isSecretFrom(exchange, scopes, uri))) {
    const { mimeType, cache } = resource;
    return { mimeType, cache, scopes: () => scopes?.of(uri), read: (call) => resource.read(uri, call) };
  }
  const parsed = server.templates.size === 0 ? undefined : parseUri(uri);
  if (parsed === undefined) return undefined;
  for (const { template, pattern, scopes } of server.templates.entries()) {
    const variables = pattern.match(parsed);
    if (variables === undefined || (scopes?.secret && isSecretFrom(exchange, scopes, variables, uri))) continue;
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

/** What demands scopes behind an address and is secret from a caller, whatever else stands there. */
export function secretsAt({ server, exchange }: Pick<Call, 'server' | 'exchange'>, uri: string): Found['scopes'][] {
  if (!server.scoped || !isLimited(exchange)) return [];
  const secrets: Found['scopes'][] = [];
  const look = (rule: ScopeRule | undefined, ...at: readonly unknown[]): void => {
    if (rule !== undefined && isSecretFrom(exchange, rule, ...at)) secrets.push(() => rule.of(...at));
  };
  look(server.resources.entry(uri)?.scopes, uri);
  const parsed = server.templates.size === 0 ? undefined : parseUri(uri);
  if (parsed === undefined) return secrets;
  for (const { pattern, scopes } of server.templates.entries()) {
    const variables = scopes?.secret === true ? pattern.match(parsed) : undefined;
    if (variables !== undefined) look(scopes, variables, uri);
  }
  return secrets;
}

/** The template, or the resource, that a reference names, unless it is secret from the caller. */
export function readableFor(
  { server, exchange }: Pick<Call, 'server' | 'exchange'>,
  uri: string,
): TemplateEntry | ResourceEntry | undefined {
  const named = [server.templates.entry(uri), server.resources.entry(uri)];
  return named.find((entry) => entry !== undefined && !isRowSecretFrom(exchange, entry.scopes));
}

/** The scopes that the resource behind the address of a request demands. */
export function scopesOfAddress(call: Call): readonly string[] | undefined {
  const { uri } = call.params;
  return typeof uri === 'string' && isAddress(uri) ? findResource(call, uri)?.scopes() : undefined;
}

/** The error for an address where nothing can be read. Where there is a secret, the operator is told, and nobody else. */
export function noSuchResource(call: Call, uri: string): ProtocolError {
  for (const scopes of secretsAt(call, uri)) logSecret(call, uri, scopes);
  return new ProtocolError(ErrorCode.ResourceNotFound, `Resource not found: ${brief(uri)}`, { uri: brief(uri) });
}

function logSecret({ host, exchange, clientInfo, requestId }: Call, uri: string, scopes: Found['scopes']): void {
  const what = `Resource "${brief(uri)}", which is secret`;
  try {
    logElevation(host, exchange, { what, asked: scopes() ?? [], client: clientInfo?.name, request: requestId });
  } catch (error) {
    host.reportError(`${what}: nobody may read it, since its scopes can't be told`, error);
  }
}
