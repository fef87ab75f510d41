import type { ServerListing, Project } from './project.ts';

/** The document that the MCP registry has of a server; its members are unchecked. */
export type ServerJson = Readonly<Record<string, unknown>>;

/** An environment variable of the server. */
export interface Variable {
  readonly name: string;
  readonly isSecret: boolean;
}

/** The schema that the registry takes. */
export const registrySchema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** A name in the registry: reverse-DNS, with one slash. */
export const registryName = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

/** The maximum length of the description in the registry. */
export const maxDescription = 100;

/** What a server.json is made of. */
export interface ServerJsonSource {
  readonly project: Project;
  readonly name: string;
  readonly listing: ServerListing;
  readonly variables: readonly Variable[];
  /** The bundle, and where it will be for download. */
  readonly bundle?: { readonly url: string; readonly sha256: string };
}

/** Creates server.json, or updates what follows from the project in an existing one. */
export function createServerJson(source: ServerJsonSource, existing: ServerJson = {}): ServerJson {
  const { project, name, listing, bundle } = source;
  const { $schema: _schema, name: _name, version: _version, packages, ...kept } = existing;
  const repository = repositoryOf(project);
  const others = (Array.isArray(packages) ? packages : []).filter(
    (each) => !['npm', ...(bundle ? ['mcpb'] : [])].includes((each as { registryType?: string }).registryType ?? ''),
  );
  const title = listing.title ?? (typeof kept.title === 'string' ? kept.title : undefined);
  return {
    $schema: registrySchema,
    name,
    ...(title !== undefined && { title: title.slice(0, maxDescription) }),
    description: describe(source),
    ...(repository && { repository }),
    ...kept,
    version: project.version,
    packages: [
      packageEntry(source, { registryType: 'npm', identifier: project.name, version: project.version }),
      ...(bundle
        ? [packageEntry(source, { registryType: 'mcpb', identifier: bundle.url, fileSha256: bundle.sha256 })]
        : []),
      ...others,
    ],
  };
}

function packageEntry({ variables }: ServerJsonSource, entry: object): object {
  const environmentVariables = variables.map(({ name, isSecret }) => ({
    name,
    ...(isSecret && { isRequired: true, isSecret }),
  }));
  return { ...entry, transport: { type: 'stdio' }, ...(environmentVariables.length > 0 && { environmentVariables }) };
}

/** A description that the registry takes: cut at a word. */
function describe({ project: { manifest, name }, listing }: ServerJsonSource): string {
  const given = [manifest.description, listing.description].find(isText) ?? name;
  if (given.length <= maxDescription) return given;
  return `${given.slice(0, maxDescription - 1).replace(/\s+\S*$/, '')}…`;
}

/** The repository on a host that the registry knows. */
export function repositoryOf({ manifest }: Project): { url: string; source: string; subfolder?: string } | undefined {
  const given = manifest.repository as string | { url?: unknown; directory?: unknown } | undefined;
  const text = typeof given === 'string' ? given : given?.url;
  if (typeof text !== 'string') return undefined;
  const [, host = '', path = ''] =
    /(?:^(?:git\+)?https?:\/\/(?:www\.)?|^git@|^git:\/\/|^(?:git\+)?ssh:\/\/git@)?(github\.com|gitlab\.com)[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(
      text,
    ) ??
    /^()(?:github:)?([\w-]+\/[\w.-]+)$/.exec(text) ??
    [];
  if (path === '') return undefined;
  const at = host === '' ? 'github.com' : host;
  const subfolder = typeof given === 'object' && typeof given.directory === 'string' ? given.directory : undefined;
  return {
    url: `https://${at}/${path}`,
    source: at.replace('.com', ''),
    ...(subfolder !== undefined && { subfolder }),
  };
}

/** The name that the owner of a GitHub repository may publish under. */
export function defaultName(project: Project): string | undefined {
  const { url, source } = repositoryOf(project) ?? {};
  if (source !== 'github' || url === undefined) return undefined;
  const [owner = ''] = new URL(url).pathname.slice(1).split('/');
  const name = project.name.replace(/^@[^/]*\//, '').replaceAll(/[^a-zA-Z0-9._-]/g, '-');
  return `io.github.${owner}/${name}`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
