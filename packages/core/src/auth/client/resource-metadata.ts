import { AuthError, sanitize } from '../auth-error.ts';
import { stringField, stringListField } from '../json-fields.ts';
import { hasDocument, type Remote } from '../remote.ts';

/** Protected resource metadata. */
export interface ResourceMetadata {
  /** The resource identifier, byte for byte, for token requests. */
  readonly resource: string;
  readonly authorizationServers: readonly string[];
  readonly scopes: readonly string[] | undefined;
  readonly dpop: boolean;
}

const wellKnown = '/.well-known/oauth-protected-resource';

/** Finds the metadata of the server at a URL; undefined if it has none, as in the first revisions. */
export async function findResourceMetadata(
  remote: Remote,
  { url, announced }: { url: string; announced: string | undefined },
): Promise<ResourceMetadata | undefined> {
  if (announced !== undefined) {
    const answer = await remote.get(remote.check(announced, "URL of the server's metadata").href);
    if (answer.status !== 200 || answer.body === undefined) {
      throw new AuthError('invalid_answer', `No metadata at ${sanitize(announced)}, where the server said it is`);
    }
    return read(answer.body, url);
  }
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/$/, '');
  for (const place of new Set([`${origin}${wellKnown}${path}`, `${origin}${wellKnown}`])) {
    const answer = await remote.get(place);
    if (hasDocument(answer, place)) return read(answer.body, url);
  }
  return undefined;
}

function read(body: Readonly<Record<string, unknown>>, url: string): ResourceMetadata {
  const resource = stringField(body, 'resource');
  const authorizationServers = stringListField(body, 'authorization_servers') ?? [];
  if (resource === undefined || authorizationServers.length === 0) {
    throw new AuthError('invalid_answer', "The server's metadata must name its resource and an authorization server");
  }
  if (!covers(resource, url)) {
    throw new AuthError('resource_mismatch', `The server's metadata is about another one: ${sanitize(resource)}`);
  }
  return {
    resource,
    authorizationServers,
    scopes: stringListField(body, 'scopes_supported'),
    dpop: body.dpop_bound_access_tokens_required === true || Array.isArray(body.dpop_signing_alg_values_supported),
  };
}

/** Whether a resource identifier covers the URL. */
function covers(resource: string, url: string): boolean {
  if (!URL.canParse(resource) || resource.includes('#')) return false;
  const whole = new URL(resource);
  const part = new URL(url);
  const path = whole.pathname.replace(/\/$/, '');
  return (
    whole.origin === part.origin &&
    (part.pathname === path || part.pathname.startsWith(`${path}/`)) &&
    (whole.search === '' || whole.search === part.search)
  );
}
