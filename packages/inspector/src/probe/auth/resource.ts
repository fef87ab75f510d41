import { type Challenge, wellKnownUrl } from './challenge.ts';
import { type Document, fetchDocument, stringList, urlProblem } from './document.ts';
import { DiscoveryFailed, type OnFinding, quote } from './finding.ts';

/** Metadata of a protected resource. */
export interface Resource {
  resource: string;
  issuers: readonly string[];
  scopes: readonly string[];
  document: Document;
}

/** Fetches the metadata of a server from every well-known URL. */
export async function findResource(url: URL, { metadata }: Challenge, found: OnFinding): Promise<Resource> {
  const path = wellKnownUrl(url);
  const root = `${url.origin}/.well-known/oauth-protected-resource`;
  const announced = metadata ?? path;
  const documents = new Map<string, Document>();
  for (const place of new Set([announced, path, root])) documents.set(place, await fetchDocument(place));
  const main = [announced, path, root].map((place) => documents.get(place)).find((each) => each?.fields !== undefined);
  const first = documents.get(announced);
  if (first?.fields === undefined) {
    const says = `there is no metadata at ${announced}: ${first?.problem ?? 'it was not looked at'}`;
    const change = main === undefined ? `serve it at ${path}` : `it is at ${main.url}: name that in resource_metadata`;
    found({ step: 'metadata', level: 'fault', says, change });
  }
  if (main?.fields === undefined) throw new DiscoveryFailed();
  const resource = parseResource(main, url, found);
  if (announced !== path) checkAlternative('metadata by path', documents.get(path), { main, url, found, place: path });
  if (announced !== root && path !== root)
    checkAlternative('metadata at the root', documents.get(root), { main, url, found, place: root });
  return resource;
}

function parseResource(document: Document, url: URL, found: OnFinding): Resource {
  const { resource, authorization_servers: servers, scopes_supported: scopes } = document.fields ?? {};
  const step = 'metadata';
  const fault = (says: string, change: string): void => found({ step, level: 'fault', says, change });
  const issuers = stringList(servers) ?? [];
  if (typeof resource !== 'string') fault('it does not say which resource it is about', `resource: "${url.href}"`);
  else if (!isSameResource(resource, url.href)) {
    const change = `resource: "${url.href}", exactly as clients call it; behind a proxy that is its public address`;
    fault(`it is about ${quote(resource)}, not about ${url.href}: clients reject it`, change);
  }
  if (issuers.length === 0) {
    fault('it names no authorization server', 'authorization_servers: ["https://…"], with the issuer of your provider');
    throw new DiscoveryFailed();
  }
  const unsafe = issuers.find((issuer) => urlProblem(issuer) !== undefined);
  if (unsafe !== undefined) {
    const change = 'authorization_servers: the https address that the provider calls its issuer';
    fault(`its authorization server ${quote(unsafe)} can't be used: ${urlProblem(unsafe)}`, change);
    throw new DiscoveryFailed();
  }
  if (typeof resource === 'string' && isSameResource(resource, url.href)) {
    found({ step, level: 'ok', says: `${document.url} names ${resource} and ${issuers.join(', ')}` });
  }
  return {
    resource: typeof resource === 'string' ? resource : url.href,
    issuers,
    scopes: stringList(scopes) ?? [],
    document,
  };
}

interface AlternativeContext {
  main: Document;
  url: URL;
  found: OnFinding;
  place: string;
}

/** The other URLs may be empty, but must not contradict. */
function checkAlternative(
  step: string,
  document: Document | undefined,
  { main, url, found, place }: AlternativeContext,
): void {
  if (document?.fields === undefined) {
    const says = `there is none at ${place}: clients that look there first find nothing`;
    found({ step, level: 'note', says, change: `serve the same document at ${place}` });
    return;
  }
  const { resource, authorization_servers: servers } = document.fields;
  const isEqual = (one: unknown, two: unknown): boolean => JSON.stringify(one) === JSON.stringify(two);
  if (isEqual(resource, main.fields?.resource) && isEqual(servers, main.fields?.authorization_servers)) {
    found({ step, level: 'ok', says: `the same is at ${place}` });
  } else if (typeof resource === 'string' && !isSameResource(resource, url.href)) {
    const says = `${place} is about ${quote(resource)}: clients that look there first are led astray`;
    found({ step, level: 'note', says, change: 'nothing, where that is another resource of this host' });
  } else {
    const says = `${place} differs from ${main.url}: clients get one or the other`;
    found({ step, level: 'fault', says, change: 'resource and authorization_servers: the same in both' });
  }
}

/** Whether two URLs identify one resource; host case, default port and trailing slash are ignored. */
export function isSameResource(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return one === other;
  const normalizeUrl = (text: string): string => new URL(text).href.replace(/\/$/, '');
  return normalizeUrl(one) === normalizeUrl(other);
}
