import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { zipSync } from 'fflate';
import { isRecord } from '../system/record.ts';
import { npm } from '../system/npm.ts';
import { slug } from '../system/slug.ts';
import { askServer, type Project, type ServerListing } from './project.ts';
import { repositoryOf, type Variable } from './server-json.ts';

/** What a bundle is made of. */
export interface BundleSource {
  readonly project: Project;
  readonly program: string;
  readonly listing: ServerListing;
  readonly variables: readonly Variable[];
  readonly signal: AbortSignal;
}

/** A bundle in a file. */
export interface Bundle {
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** A fixed time, so that the same project makes the same bytes. */
const mtime = new Date(1980, 0, 1, 0, 0, 0);

/** Packs the project with its dependencies, starts it once from there, and writes the bundle into the folder. */
export async function writeBundle(source: BundleSource): Promise<Bundle> {
  const { project, program, signal } = source;
  const staged = mkdtempSync(join(tmpdir(), 'ccmcp-bundle-'));
  try {
    await installPackage(project, staged, signal);
    const entry = `server/node_modules/${project.name}/${program.replaceAll('\\', '/')}`;
    await askServer(staged, entry, signal).catch((error: unknown) => {
      throw new Error(`the server does not start from its bundle: ${(error as Error).message}`, { cause: error });
    });
    writeFileSync(join(staged, 'manifest.json'), `${JSON.stringify(bundleManifest(source, entry), null, 2)}\n`);
    const bytes = zipSync(readFolder(staged), { level: 9, mtime });
    const file = `${slug(project.name.replace(/^@[^/]*\//, ''))}-${project.version}.mcpb`;
    writeFileSync(join(project.folder, file), bytes);
    return { file, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length };
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/** Installs what npm would publish, with what it needs at run time, without install scripts: a bundle runs on every system. */
async function installPackage({ folder }: Project, staged: string, signal: AbortSignal): Promise<void> {
  const at = join(staged, 'server');
  mkdirSync(at);
  const packed = await run(['pack', '--ignore-scripts', '--json', '--pack-destination', at], folder, signal);
  const [{ filename } = { filename: '' }] = Object.values(JSON.parse(packed) as Record<string, { filename: string }>);
  await run(
    ['install', `./${filename}`, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', at],
    at,
    signal,
  );
  rmSync(join(at, filename));
  for (const leftover of ['.bin', '.package-lock.json']) {
    rmSync(join(at, 'node_modules', leftover), { recursive: true, force: true });
  }
}

async function run(args: readonly string[], cwd: string, signal: AbortSignal): Promise<string> {
  const { code, stdout, stderr } = await npm(args, { cwd, signal });
  if (code !== 0) throw new Error(`npm ${args[0] ?? ''} failed:\n${stderr.trim().split('\n').slice(0, 5).join('\n')}`);
  return stdout;
}

/** All files below a folder, by path, in a stable order. */
function readFolder(folder: string): Record<string, Uint8Array> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return Object.fromEntries(paths.map((path) => [relative(folder, path).replaceAll('\\', '/'), readFileSync(path)]));
}

/** The manifest of an MCPB bundle. */
function bundleManifest({ project, listing, variables }: BundleSource, entry: string): object {
  const { manifest, name, version } = project;
  const { description, homepage, license, keywords, engines } = manifest;
  const settings = variables.map(
    ({ name: variable, isSecret }) => [variable.toLowerCase(), variable, isSecret] as const,
  );
  const userConfig = settings.map(([key, variable, isSecret]) => [
    key,
    {
      type: 'string',
      title: variable,
      description: `The environment variable ${variable}`,
      sensitive: isSecret,
      required: isSecret,
    },
  ]);
  const repository = repositoryOf(project);
  const node = isRecord(engines) && typeof engines.node === 'string' ? engines.node : undefined;
  return {
    manifest_version: '0.3',
    name: slug(name.replace(/^@[^/]*\//, '')),
    display_name: listing.title ?? name,
    version,
    description: typeof description === 'string' && description !== '' ? description : (listing.description ?? name),
    author: authorOf(project),
    ...(repository && { repository: { type: 'git', url: repository.url } }),
    ...(typeof homepage === 'string' && { homepage }),
    server: {
      type: 'node',
      entry_point: entry,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${entry}`],
        env: Object.fromEntries(settings.map(([key, variable]) => [variable, `\${user_config.${key}}`])),
      },
    },
    tools: listing.tools.map(({ name: tool, description: about }) => ({
      name: tool,
      ...(about !== undefined && { description: about }),
    })),
    ...(listing.hasDynamicTools && { tools_generated: true }),
    ...(Array.isArray(keywords) && { keywords }),
    ...(typeof license === 'string' && { license }),
    ...(node !== undefined && { compatibility: { runtimes: { node } } }),
    ...(userConfig.length > 0 && { user_config: Object.fromEntries(userConfig) }),
  };
}

/** The author of package.json, else the owner of the repository, else the package. */
function authorOf(project: Project): object {
  const { author } = project.manifest;
  if (isRecord(author) && typeof author.name === 'string') return author;
  const [, name = '', email, url] =
    typeof author === 'string' ? (/^([^<(]+?)\s*(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?$/.exec(author) ?? []) : [];
  if (name !== '') return { name, ...(email && { email }), ...(url && { url }) };
  const repository = repositoryOf(project);
  return {
    name: repository === undefined ? project.name : (new URL(repository.url).pathname.split('/')[1] ?? project.name),
  };
}
