import { brief, ErrorCode, invalidParams, ProtocolError } from '../../../jsonrpc/errors.ts';
import { matchTemplate, parseUri } from '../../../protocol/uri-template.ts';
import type { CacheHints } from '../../../protocol/results.ts';
import type { Call } from '../../call/call.ts';
import type { Context } from '../../call/context.ts';
import type { ResourceEntry, TemplateEntry } from '../../define/resource-entry.ts';
import type { AccessRule, Requirement } from '../../define/access-rule.ts';
import { checkAddress, isAddress } from '../../subscriptions.ts';

/** A resource found by its URI. */
export interface Found {
  readonly mimeType: string | undefined;
  readonly cache: CacheHints | undefined;
  /** The access requirement. */
  requirement(): Requirement | undefined;
  read(context: Context): unknown;
}

/** The URI of a request. */
export function uriOf(call: Call): string {
  const { uri } = call.params;
  if (typeof uri !== 'string') throw invalidParams('"uri" must be a string: the address of a resource');
  checkAddress(uri);
  return uri;
}

/**
 * Finds the resource with a URI for a caller, or the first template that matches. Entries that are hidden from the
 * caller are skipped.
 */
export function findResource({ server, peer }: Pick<Call, 'server' | 'peer'>, uri: string): Found | undefined {
  const { resource, access } = server.catalog.resources.entries.get(uri) ?? {};
  if (resource !== undefined && !(access?.secret && server.access.hides(peer, access, uri))) {
    const { mimeType, cache } = resource;
    return { mimeType, cache, requirement: () => access?.of(uri), read: (context) => resource.read(uri, context) };
  }
  const parsed = server.catalog.templates.size === 0 ? undefined : parseUri(uri);
  if (parsed === undefined) return undefined;
  for (const { template, pattern, access } of server.catalog.templates.entries.values()) {
    const variables = matchTemplate(pattern, parsed);
    if (variables === undefined || (access?.secret && server.access.hides(peer, access, variables, uri))) continue;
    const { mimeType, cache } = template;
    return {
      mimeType,
      cache,
      requirement: () => access?.of(variables, uri),
      read: (context) => template.read(variables, context, uri),
    };
  }
  return undefined;
}

/** The requirements of all entries at a URI that are secret from a caller. */
export function secretsAt({ server, peer }: Pick<Call, 'server' | 'peer'>, uri: string): Found['requirement'][] {
  if (!server.catalog.isGuarded || !server.access.restricts(peer)) return [];
  const secrets: Found['requirement'][] = [];
  const collect = (rule: AccessRule | undefined, ...at: readonly unknown[]): void => {
    if (rule !== undefined && server.access.hides(peer, rule, ...at)) secrets.push(() => rule.of(...at));
  };
  collect(server.catalog.resources.entries.get(uri)?.access, uri);
  const parsed = server.catalog.templates.size === 0 ? undefined : parseUri(uri);
  if (parsed === undefined) return secrets;
  for (const { pattern, access } of server.catalog.templates.entries.values()) {
    const variables = access?.secret === true ? matchTemplate(pattern, parsed) : undefined;
    if (variables !== undefined) collect(access, variables, uri);
  }
  return secrets;
}

/** The template, or the resource, that a reference names, unless it is secret from the caller. */
export function findCompletable(
  { server, peer }: Pick<Call, 'server' | 'peer'>,
  uri: string,
): TemplateEntry | ResourceEntry | undefined {
  const named = [server.catalog.templates.entries.get(uri), server.catalog.resources.entries.get(uri)];
  const isHidden = (rule: AccessRule | undefined): boolean =>
    rule?.secret === true && !server.access.allows(peer, rule.fixed);
  return named.find((entry) => entry !== undefined && !isHidden(entry.access));
}

/** The access requirement of the requested URI. */
export function requirementAt(call: Call): Requirement | undefined {
  const { uri } = call.params;
  return typeof uri === 'string' && isAddress(uri) ? findResource(call, uri)?.requirement() : undefined;
}

/** The error for a URI without a readable resource. A secret one is reported to the operator only. */
export function noSuchResource(call: Call, uri: string): ProtocolError {
  for (const requirement of secretsAt(call, uri)) call.host.access.reportHidden(call, uri, requirement);
  return new ProtocolError(ErrorCode.ResourceNotFound, `Resource not found: ${brief(uri)}`, { uri: brief(uri) });
}
