import { isRecord, tryParseJson } from '../shared/json.ts';
import { mediaType, sendRequest } from './http.ts';

/** A server that the catalog of a domain lists, as its card describes it: claims to be verified against the server. */
export interface CatalogServer {
  /** The name on its card; the URL of a card that can't be read. */
  readonly name: string;
  readonly title?: string;
  readonly version?: string;
  readonly description?: string;
  /** The endpoint. Absent: the card names none, or one with variables to fill in. */
  readonly url?: string;
  /** The protocol versions that it claims. */
  readonly versions?: readonly string[];
  /** Why the card can't be used. */
  readonly problem?: string;
}

const cardMediaType = 'application/mcp-server-card+json';
const catalogPath = '/.well-known/ai-catalog.json';
const maxServers = 50;
const maxText = 200;

/** Reads the catalog of a domain and the server cards in it; undefined if it has none. */
export async function readCatalog(domain: URL, timeoutMs: number): Promise<readonly CatalogServer[] | undefined> {
  const at = new URL(catalogPath, domain);
  const catalog = await fetchJson(at, 'application/ai-catalog+json, application/json', timeoutMs).catch(
    () => undefined,
  );
  if (!isRecord(catalog) || !Array.isArray(catalog.entries)) return undefined;
  const entries = catalog.entries
    .filter((entry) => isRecord(entry) && entry.type === cardMediaType)
    .slice(0, maxServers);
  return Promise.all(entries.map((entry) => readEntry(entry as Readonly<Record<string, unknown>>, at, timeoutMs)));
}

async function readEntry(
  { identifier, url, data }: Readonly<Record<string, unknown>>,
  catalog: URL,
  timeoutMs: number,
): Promise<CatalogServer> {
  const name = textOf(url) ?? textOf(identifier) ?? 'an entry without a URL';
  try {
    const card = data ?? (await fetchJson(cardUrl(url, catalog), cardMediaType, timeoutMs));
    return isRecord(card) ? describeCard(card, name, catalog) : { name, problem: 'the card is no JSON object' };
  } catch (error) {
    return { name, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** A page of the web must not make this machine call itself, or leave TLS. */
function cardUrl(url: unknown, catalog: URL): URL {
  if (typeof url !== 'string' || !URL.canParse(url, catalog.href)) throw new Error('the entry has no URL of a card');
  const card = new URL(url, catalog);
  const isSame = card.origin === catalog.origin;
  if (!isSame && card.protocol !== 'https:') throw new Error('the card is not at an https URL');
  return card;
}

function describeCard(card: Readonly<Record<string, unknown>>, fallback: string, catalog: URL): CatalogServer {
  const remotes = Array.isArray(card.remotes) ? card.remotes.filter((remote) => isRecord(remote)) : [];
  const remote = remotes.find(({ type }) => type === 'streamable-http') ?? remotes[0];
  const url = endpointUrl(remote?.url, catalog);
  const [title, version, description] = [textOf(card.title), textOf(card.version), textOf(card.description)];
  const versions = remote?.supportedProtocolVersions;
  return {
    name: textOf(card.name) ?? fallback,
    ...(title !== undefined && { title }),
    ...(version !== undefined && { version }),
    ...(description !== undefined && { description }),
    ...(url === undefined ? { problem: 'the card names no https URL without variables' } : { url }),
    ...(Array.isArray(versions) && { versions: versions.flatMap((each) => textOf(each) ?? []).slice(0, 20) }),
  };
}

/** Plain HTTP only to the host of the catalog: a domain must not send this machine to its own services. */
function endpointUrl(value: unknown, catalog: URL): string | undefined {
  if (typeof value !== 'string' || /[{}\s]/.test(value) || !URL.canParse(value)) return undefined;
  const { protocol, hostname, href } = new URL(value);
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && hostname === catalog.hostname);
  return isAllowed ? href : undefined;
}

async function fetchJson(url: URL, accept: string, timeoutMs: number): Promise<unknown> {
  const response = await sendRequest(url, { method: 'GET', headers: { accept }, timeoutMs });
  if (response.status !== 200) throw new Error(`${url.href} is answered with ${response.status}`);
  const found = tryParseJson(response.body);
  if (found === undefined) throw new Error(`${url.href} is no JSON, but ${mediaType(response) || 'of no media type'}`);
  return found;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, maxText) : undefined;
}
