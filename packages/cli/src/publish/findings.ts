import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, parseRecord } from '../system/record.ts';
import { askServer, type Project, publishedFiles, readText, type ServerListing } from './project.ts';
import { maxDescription, registryName, registrySchema } from './server-json.ts';

/** A problem of a project that is to be published. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  /** The file, or `server` for what the running server does. */
  readonly where: string;
  readonly message: string;
  /** What to do. */
  readonly change: string;
}

/** Files that hold secrets or belong to one machine. */
const secretFiles =
  /(?:^|\/)(?:\.env(?:\.(?!example|sample|template)[^/]*)?|\.npmrc|\.netrc|id_(?:rsa|ed25519|ecdsa)|[^/]*\.(?:pem|key|p12|pfx)|\.ccmcp\/.*)$/i;

const semver = /^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;

/** Checks all that npm, the registry and clients reject. */
export async function findProblems(project: Project, signal: AbortSignal): Promise<Finding[]> {
  const serverJson = readText(join(project.folder, 'server.json'));
  const document = serverJson === undefined ? undefined : parseRecord(serverJson);
  return [
    ...checkManifest(project),
    ...(await checkPackage(project, signal)),
    ...checkServerJson(project, { text: serverJson, document }),
    ...checkDockerfile(project, document),
    ...(await checkServer(project, signal)),
  ];
}

function error(where: string, message: string, change: string): Finding {
  return { severity: 'error', where, message, change };
}

function warning(where: string, message: string, change: string): Finding {
  return { severity: 'warning', where, message, change };
}

function* checkManifest({ manifest, version, program }: Project): Generator<Finding> {
  const at = 'package.json';
  const { mcpName, description, license, repository, engines, keywords } = manifest;
  if (manifest.private === true) yield error(at, 'it is private, so npm does not publish it', 'Remove "private".');
  if (typeof manifest.name !== 'string') yield error(at, 'it has no "name"', 'Name the package.');
  if (!semver.test(version)) yield error(at, 'its "version" is no semantic version', 'Set it, such as "1.0.0".');
  if (program === undefined) {
    yield error(
      at,
      'it has no "bin", so npx can not start the server',
      'Add "bin": { "NAME": "FILE" } with the file that serves.',
    );
  }
  if (typeof mcpName !== 'string') {
    yield error(
      at,
      'it has no "mcpName", by which the registry verifies who owns the package',
      'Run "ccmcp pack", which adds it.',
    );
  } else if (!registryName.test(mcpName)) {
    yield error(
      at,
      `"mcpName" is no name of the registry: ${mcpName}`,
      'Use reverse-DNS with one slash: io.github.OWNER/NAME.',
    );
  }
  for (const [name, range] of localDependencies(manifest)) {
    yield error(at, `"${name}" is ${range}, which users do not have`, 'Depend on a version that npm has.');
  }
  if (typeof description !== 'string' || description === '') {
    yield warning(at, 'it has no "description"', `Say in at most ${maxDescription} characters what the server does.`);
  } else if (description.length > maxDescription) {
    yield warning(
      at,
      `"description" has ${description.length} characters: the registry takes ${maxDescription}`,
      'Shorten it, or give server.json one of its own.',
    );
  }
  if (license === undefined) yield warning(at, 'it has no "license"', 'Name one, such as "MIT".');
  if (repository === undefined)
    yield warning(at, 'it has no "repository", which provenance and the registry use', 'Add its URL.');
  if (!isRecord(engines) || engines.node === undefined) {
    yield warning(at, 'it has no "engines.node"', 'Say which Node it needs, such as ">=20".');
  }
  if (
    !Array.isArray(keywords) ||
    !keywords.some((each) => /^(?:mcp|mcp-server|model-context-protocol)$/.test(String(each)))
  ) {
    yield warning(at, 'no keyword leads to it', 'Add "mcp" and "mcp-server" to "keywords".');
  }
}

function localDependencies({
  dependencies,
  bundleDependencies,
  bundledDependencies,
}: Project['manifest']): [string, string][] {
  const bundled = [bundleDependencies ?? bundledDependencies ?? []].flat();
  if (!isRecord(dependencies)) return [];
  return Object.entries(dependencies)
    .map(([name, range]): [string, string] => [name, String(range)])
    .filter(([name, range]) => /^(?:file|link|workspace|portal):|^\.{0,2}\//.test(range) && !bundled.includes(name));
}

async function checkPackage(project: Project, signal: AbortSignal): Promise<Finding[]> {
  const { folder, program } = project;
  const files = await publishedFiles(project, signal);
  const found = files
    .filter((path) => secretFiles.test(path))
    .map((path) =>
      error('package.json', `npm would publish ${path}`, 'Name what belongs into the package in "files".'),
    );
  if (!files.some((path) => /^readme(?:\.\w+)?$/i.test(path))) {
    found.push(
      warning(
        'README.md',
        'there is none',
        'Say what the server does and how to install it; "ccmcp pack" prints install buttons.',
      ),
    );
  }
  if (program === undefined) return found;
  if (!existsSync(join(folder, program))) {
    return [
      ...found,
      error('package.json', `there is no ${program}, which "bin" names`, 'Build the project, or correct "bin".'),
    ];
  }
  if (readText(join(folder, program))?.startsWith('#!') !== true) {
    found.push(
      error(program, 'it has no first line for the shell, so npx can not run it', 'Begin it with: #!/usr/bin/env node'),
    );
  }
  return found;
}

function* checkServerJson(
  { manifest, name, version }: Project,
  { text, document }: { text: string | undefined; document: Readonly<Record<string, unknown>> | undefined },
): Generator<Finding> {
  const at = 'server.json';
  if (text === undefined) {
    yield error(at, 'there is none: the registry needs it', 'Run "ccmcp pack", which makes it.');
    return;
  }
  if (document === undefined) {
    yield error(at, 'it is no JSON object', 'Correct it, or remove it and run "ccmcp pack".');
    return;
  }
  const { $schema, name: registered, description, version: stated, packages, remotes, _meta } = document;
  if ($schema !== registrySchema) {
    yield error(at, 'its "$schema" is not the one that the registry takes', `Set it to ${registrySchema}`);
  }
  if (typeof registered !== 'string' || !registryName.test(registered) || registered.length > 200) {
    yield error(at, 'its "name" is not in reverse-DNS form with one slash', 'Use a name such as io.github.OWNER/NAME.');
  } else if (typeof manifest.mcpName === 'string' && manifest.mcpName !== registered) {
    yield error(
      at,
      `its "name" is ${registered}, but "mcpName" in package.json is ${manifest.mcpName}`,
      'Make them equal.',
    );
  }
  if (typeof description !== 'string' || description === '' || description.length > maxDescription) {
    yield error(
      at,
      `its "description" must have 1 to ${maxDescription} characters`,
      'Shorten it: the registry rejects longer ones.',
    );
  }
  if (typeof stated !== 'string' || !semver.test(stated)) {
    yield error(at, 'its "version" is no exact version', 'Ranges and "latest" are rejected: name one version.');
  } else if (stated !== version) {
    yield error(at, `its "version" is ${stated}, but package.json has ${version}`, 'Run "ccmcp pack", which sets it.');
  }
  if (
    isRecord(_meta) &&
    Object.keys(_meta).some((key) => key !== 'io.modelcontextprotocol.registry/publisher-provided')
  ) {
    yield error(
      at,
      'the registry takes no other key in "_meta" than io.modelcontextprotocol.registry/publisher-provided',
      'Move the others there.',
    );
  }
  const [entries, endpoints] = [listOf(packages), listOf(remotes)];
  if (entries.length + endpoints.length === 0) {
    yield error(at, 'it has neither "packages" nor "remotes"', 'Run "ccmcp pack", which adds the npm package.');
  }
  for (const entry of entries) yield* checkPackageEntry(entry, { name, version });
  for (const { url } of endpoints) {
    if (typeof url === 'string' && url.startsWith('https://') && !/\/\/(?:localhost|127\.|\[::1)/.test(url)) continue;
    yield error(at, 'a "remote" has no public https URL', 'Remotes must be reachable by everybody.');
  }
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((each) => isRecord(each)) : [];
}

function* checkPackageEntry(
  { registryType, identifier, version, fileSha256, transport }: Readonly<Record<string, unknown>>,
  project: { name: string; version: string },
): Generator<Finding> {
  const at = 'server.json';
  const id = typeof identifier === 'string' ? identifier : '';
  if (!isRecord(transport) || !['stdio', 'streamable-http', 'sse'].includes(String(transport.type))) {
    yield error(at, `the package ${id} has no "transport"`, 'Add { "type": "stdio" }.');
  }
  if (registryType === 'npm') {
    if (id !== project.name)
      yield error(at, `it names the npm package ${id}, but this is ${project.name}`, 'Run "ccmcp pack".');
    if (version !== project.version) {
      yield error(
        at,
        `it names version ${String(version)} of the npm package, but this is ${project.version}`,
        'Run "ccmcp pack".',
      );
    }
  }
  if (registryType === 'mcpb') {
    if (!/^https:\/\/[^?#]+mcp[^?#]*$/i.test(id) || !/\.(?:mcpb|zip)$/i.test(id)) {
      yield error(
        at,
        'an "mcpb" package must be the https URL of a bundle, with "mcp" in it',
        'An executable is no bundle: make one with "ccmcp pack".',
      );
    }
    if (!/^[a-f\d]{64}$/.test(String(fileSha256))) {
      yield error(at, 'an "mcpb" package needs the "fileSha256" of the bundle', 'Run "ccmcp pack --bundle-url URL".');
    }
  }
  if (registryType === 'oci' && !/:[\w.-]+$|@sha256:/.test(id)) {
    yield error(at, `the image ${id} has no tag`, 'Name one version of it, such as example.com/me/server:1.0.0.');
  }
}

/** A container must be what server.json says of it. */
function* checkDockerfile(
  { folder, manifest }: Project,
  document: Readonly<Record<string, unknown>> | undefined,
): Generator<Finding> {
  const text = readText(join(folder, 'Dockerfile'));
  const images = listOf(document?.packages).filter(({ registryType }) => registryType === 'oci');
  if (text === undefined || images.length === 0) return;
  const label = /^\s*LABEL\s[^]*?io\.modelcontextprotocol\.server\.name="?([^"\s]+)/im.exec(text)?.[1];
  const name = document?.name ?? manifest.mcpName;
  if (label !== name) {
    yield error(
      'Dockerfile',
      'the registry verifies an image by a label that is missing or differs',
      `Add: LABEL io.modelcontextprotocol.server.name="${String(name)}"`,
    );
  }
  const servesHttp = /^\s*(?:CMD|ENTRYPOINT)\b.*(?:--http|--port|streamable-http|sse)\b/im.test(text);
  if (servesHttp && images.every(({ transport }) => isRecord(transport) && transport.type === 'stdio')) {
    yield error(
      'Dockerfile',
      'it serves over HTTP, but server.json says stdio',
      'Let one of them say what the other does.',
    );
  }
}

async function checkServer({ folder, program, version }: Project, signal: AbortSignal): Promise<Finding[]> {
  if (program === undefined || !existsSync(join(folder, program))) return [];
  let listing: ServerListing;
  try {
    listing = await askServer(folder, program, signal);
  } catch (problem) {
    signal.throwIfAborted();
    const [message = ''] = (problem as Error).message.split('\n');
    const change =
      'It must answer on stdin and stdout when it is started without arguments: see "ccmcp probe -- node FILE".';
    return [error('server', `${program} does not serve: ${message}`, change)];
  }
  const found: Finding[] = [];
  if (listing.version !== version) {
    found.push(
      warning('server', `it says version ${listing.version}, but package.json has ${version}`, 'Make them equal.'),
    );
  }
  const silent = listing.tools.filter(({ description = '' }) => description === '').map(({ name }) => name);
  if (silent.length > 0) {
    found.push(
      warning(
        'server',
        `tools without a description: ${silent.slice(0, 10).join(', ')}`,
        'See "ccmcp check -- node FILE".',
      ),
    );
  }
  return found;
}
