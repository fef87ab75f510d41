import { type Challenge, wellKnownFor } from './challenge.ts';
import { type Document, look, texts, unsafety } from './document.ts';
import { DeadEnd, type Found, quoted } from './finding.ts';

/** What a server says of itself. */
export interface Resource {
  resource: string;
  issuers: readonly string[];
  scopes: readonly string[];
  document: Document;
}

/** Looks for the metadata of a server at every place where clients do. */
export async function findResource(url: URL, { metadata }: Challenge, found: Found): Promise<Resource> {
  const path = wellKnownFor(url);
  const root = `${url.origin}/.well-known/oauth-protected-resource`;
  const announced = metadata ?? path;
  const documents = new Map<string, Document>();
  for (const place of new Set([announced, path, root])) documents.set(place, await look(place));
  const main = [announced, path, root].map((place) => documents.get(place)).find((each) => each?.fields !== undefined);
  const first = documents.get(announced);
  if (first?.fields === undefined) {
    const says = `there is no metadata at ${announced}: ${first?.problem ?? 'it was not looked at'}`;
    const change = main === undefined ? `serve it at ${path}` : `it is at ${main.url}: name that in resource_metadata`;
    found({ step: 'metadata', level: 'fault', says, change });
  }
  if (main?.fields === undefined) throw new DeadEnd();
  const resource = readResource(main, url, found);
  if (announced !== path) other('metadata by path', documents.get(path), { main, url, found, place: path });
  if (announced !== root && path !== root)
    other('metadata at the root', documents.get(root), { main, url, found, place: root });
  return resource;
}

function readResource(document: Document, url: URL, found: Found): Resource {
  const { resource, authorization_servers: servers, scopes_supported: scopes } = document.fields ?? {};
  const step = 'metadata';
  const fault = (says: string, change: string): void => found({ step, level: 'fault', says, change });
  const issuers = texts(servers) ?? [];
  if (typeof resource !== 'string') fault('it does not say which resource it is about', `resource: "${url.href}"`);
  else if (!isSame(resource, url.href)) {
    const change = `resource: "${url.href}", exactly as clients call it; behind a proxy that is its public address`;
    fault(`it is about ${quoted(resource)}, not about ${url.href}: clients refuse it`, change);
  }
  if (issuers.length === 0) {
    fault('it names no authorization server', 'authorization_servers: ["https://…"], with the issuer of your provider');
    throw new DeadEnd();
  }
  const unsafe = issuers.find((issuer) => unsafety(issuer) !== undefined);
  if (unsafe !== undefined) {
    const change = 'authorization_servers: the https address that the provider calls its issuer';
    fault(`its authorization server ${quoted(unsafe)} can't be used: ${unsafety(unsafe)}`, change);
    throw new DeadEnd();
  }
  if (typeof resource === 'string' && isSame(resource, url.href)) {
    found({ step, level: 'ok', says: `${document.url} names ${resource} and ${issuers.join(', ')}` });
  }
  return {
    resource: typeof resource === 'string' ? resource : url.href,
    issuers,
    scopes: texts(scopes) ?? [],
    document,
  };
}

interface Beside {
  main: Document;
  url: URL;
  found: Found;
  place: string;
}

/** The other places may be empty, but must not say something else. */
function other(step: string, document: Document | undefined, { main, url, found, place }: Beside): void {
  if (document?.fields === undefined) {
    const says = `there is none at ${place}: clients that look there first find nothing`;
    found({ step, level: 'note', says, change: `serve the same document at ${place}` });
    return;
  }
  const { resource, authorization_servers: servers } = document.fields;
  const same = (one: unknown, two: unknown): boolean => JSON.stringify(one) === JSON.stringify(two);
  if (same(resource, main.fields?.resource) && same(servers, main.fields?.authorization_servers)) {
    found({ step, level: 'ok', says: `the same is at ${place}` });
  } else if (typeof resource === 'string' && !isSame(resource, url.href)) {
    const says = `${place} is about ${quoted(resource)}: clients that look there first are led astray`;
    found({ step, level: 'note', says, change: 'nothing, where that is another resource of this host' });
  } else {
    const says = `${place} differs from ${main.url}: clients get one or the other`;
    found({ step, level: 'fault', says, change: 'resource and authorization_servers: the same in both' });
  }
}

/** Whether two addresses are those of one resource: upper case in a host, a default port or a slash make no difference. */
export function isSame(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return one === other;
  const plain = (text: string): string => new URL(text).href.replace(/\/$/, '');
  return plain(one) === plain(other);
}
