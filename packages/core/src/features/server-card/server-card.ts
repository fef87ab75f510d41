import type { Implementation } from '../../protocol/identity.ts';

/** Options of a server card. */
export interface ServerCardOptions {
  /** The name in reverse-DNS form, such as `com.example/weather`. Default: from the host of `resource` and the server's name. */
  name?: string;
  /** At most 100 characters. Default: the server's description, title or name. */
  description?: string;
  /** Where the source code is. */
  repository?: { url: string; source: string; subfolder?: string; id?: string };
  /** Whether the catalog of the domain is served too, at `/.well-known/ai-catalog.json`. Default: true. */
  catalog?: boolean;
}

/** What a card says of an endpoint. */
export interface ServerCardFacts {
  readonly info: Implementation;
  /** The public URL of the endpoint. */
  readonly url: string;
  /** The public URL of the HTTP+SSE endpoint, if it is served. */
  readonly sseUrl: string | undefined;
  /** The credential headers that callers send. */
  readonly headers: readonly string[];
  /** True if callers may omit them. */
  readonly anonymous: boolean;
  /** The protocol versions, oldest first. */
  readonly versions: readonly string[];
}

/** A server card: identity and connection details of a server, for clients that have not connected yet. */
export interface ServerCard extends Omit<Implementation, 'name' | 'description'> {
  readonly $schema: string;
  readonly name: string;
  readonly description: string;
  readonly repository?: ServerCardOptions['repository'];
  readonly remotes: readonly object[];
}

/** The media type of a card. */
export const cardMediaType = 'application/mcp-server-card+json';
/** The media type of a catalog. */
export const catalogMediaType = 'application/ai-catalog+json';
/** The path of the catalog of a domain. */
export const catalogPath = '/.well-known/ai-catalog.json';

const schema = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';
const namePattern = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const maxNameLength = 200;
const maxTextLength = 100;

/** Checks the options when the endpoint is created. */
export function checkServerCard({ name, description, repository }: ServerCardOptions): void {
  if (name !== undefined && (!namePattern.test(name) || name.length > maxNameLength)) {
    throw new TypeError(
      '"name" of "serverCard" must be in reverse-DNS form with one slash, such as com.example/weather',
    );
  }
  if (description !== undefined && (description === '' || description.length > maxTextLength)) {
    throw new TypeError(`"description" of "serverCard" must have 1 to ${maxTextLength} characters`);
  }
  if (repository !== undefined && (!URL.canParse(repository.url) || typeof repository.source !== 'string')) {
    throw new TypeError('"repository" of "serverCard" must have a "url" and a "source", such as "github"');
  }
}

/** Creates the card of an endpoint. */
export function createServerCard(facts: ServerCardFacts, options: ServerCardOptions): ServerCard {
  const { info, url, sseUrl, versions } = facts;
  const { version, title, websiteUrl, icons } = info;
  const inputs = headerInputs(facts);
  const description = options.description ?? info.description ?? title ?? info.name;
  const remote = { url, ...(inputs.length > 0 && { headers: inputs }), supportedProtocolVersions: versions };
  return {
    $schema: schema,
    name: options.name ?? defaultName(url, info.name),
    version,
    description: truncateText(description),
    ...(title !== undefined && title !== '' && { title: truncateText(title) }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(options.repository && { repository: options.repository }),
    ...(icons !== undefined && { icons }),
    remotes: [
      { type: 'streamable-http', ...remote },
      ...(sseUrl === undefined
        ? []
        : [{ type: 'sse', ...remote, url: sseUrl, supportedProtocolVersions: versions.slice(0, 1) }]),
    ],
  };
}

/** Creates the catalog of a domain with one card. */
export function createCatalog({ name }: ServerCard, url: string): object {
  const [namespace = '', server = ''] = name.split('/');
  const publisher = reverseDomain(namespace);
  return {
    specVersion: '1.0',
    entries: [{ identifier: `urn:air:${publisher}:mcp:${server}`, type: cardMediaType, url }],
  };
}

/** Tokens of OAuth are not described: clients find out from the protected resource. */
function headerInputs({ headers, anonymous }: ServerCardFacts): object[] {
  return headers
    .filter((name) => !/^(authorization|dpop)$/i.test(name))
    .map((name) => ({ name, isRequired: !anonymous && headers.length === 1, isSecret: true }));
}

function defaultName(url: string, serverName: string): string {
  const { hostname } = new URL(url);
  const namespace = reverseDomain(hostname).replaceAll(/[^a-zA-Z0-9.-]/g, '-');
  const name = serverName.replaceAll(/[^a-zA-Z0-9._-]+/g, '-');
  return `${namespace}/${name === '' ? 'server' : name}`.slice(0, maxNameLength);
}

/** `api.example.com` for `com.example.api`, and the other way round; addresses stay as they are. */
function reverseDomain(name: string): string {
  return /^[\d.]+$|:/.test(name) ? name : name.split('.').toReversed().join('.');
}

function truncateText(text: string): string {
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength - 1).trimEnd()}…`;
}
