import { readFileSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { type Client, connect, spawn } from '@ccmcp/core/client';
import { isRecord, parseRecord } from '../system/record.ts';
import { npm } from '../system/npm.ts';

/** The fields of package.json that publishing reads; any may be missing or of a wrong type. */
export type Manifest = Readonly<Record<string, unknown>>;

/** A server project. */
export interface Project {
  readonly folder: string;
  readonly manifest: Manifest;
  /** The text of package.json. */
  readonly manifestText: string;
  readonly name: string;
  readonly version: string;
  /** The program that npx starts, relative to the folder, and its command. Absent: there is no `bin`. */
  readonly program?: string;
  readonly command?: string;
}

/** What a server says of itself. */
export interface ServerListing {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly tools: readonly { readonly name: string; readonly description?: string }[];
  /** Whether tools come and go while it runs. */
  readonly hasDynamicTools: boolean;
}

const startTimeoutMs = 15_000;
/** A manifest is read whole. */
const maxFileBytes = 1_048_576;

/** Reads the project in a folder. */
export function readProject(given = '.'): Project {
  const folder = resolve(given);
  const manifestText = readText(join(folder, 'package.json'));
  if (manifestText === undefined)
    throw new Error(`there is no package.json in ${folder}: name the folder of a project`);
  const manifest = parseRecord(manifestText);
  if (manifest === undefined) throw new Error(`${join(folder, 'package.json')} is no JSON object`);
  const name = typeof manifest.name === 'string' ? manifest.name : basename(folder);
  const version = typeof manifest.version === 'string' ? manifest.version : '';
  return { folder, manifest, manifestText, name, version, ...programOf(manifest, name) };
}

/** The program of the package: the one with its name, or the first one. */
function programOf({ bin }: Manifest, name: string): Pick<Project, 'program' | 'command'> {
  const unscoped = name.replace(/^@[^/]*\//, '');
  const programs = typeof bin === 'string' ? { [unscoped]: bin } : isRecord(bin) ? bin : {};
  const command = Object.hasOwn(programs, unscoped) ? unscoped : (Object.keys(programs)[0] ?? '');
  const path = programs[command];
  return typeof path === 'string' ? { program: relative('.', join('.', path)), command } : {};
}

/** The text of a file; undefined if there is none. */
export function readText(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile()) throw new Error(`${path} is no file`);
  if (found.size > maxFileBytes)
    throw new Error(`${path} has ${found.size} bytes: it should have at most ${maxFileBytes}`);
  return readFileSync(path, 'utf8');
}

/** The files that npm would publish. */
export async function publishedFiles({ folder }: Project, signal: AbortSignal): Promise<readonly string[]> {
  const { code, stdout, stderr } = await npm(['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
    signal,
  });
  if (code !== 0) throw new Error(`npm can not pack the project: ${stderr.trim().split('\n')[0] ?? ''}`);
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { files?: { path: string }[] }>);
  return (packed?.files ?? []).map(({ path }) => path);
}

/** Starts the program as a client would, and asks what it is. */
export async function askServer(folder: string, program: string, signal: AbortSignal): Promise<ServerListing> {
  let client: Client | undefined;
  try {
    const timeout = AbortSignal.timeout(startTimeoutMs);
    const transport = spawn(process.execPath, [join(folder, program)], { cwd: folder });
    client = await connect(transport, { signal: AbortSignal.any([signal, timeout]) });
    const { serverInfo, capabilities } = client;
    const tools = capabilities?.tools === undefined ? [] : await client.listTools().all();
    return {
      name: serverInfo?.name ?? '',
      version: serverInfo?.version ?? '',
      ...(serverInfo?.title !== undefined && { title: serverInfo.title }),
      ...(serverInfo?.description !== undefined && { description: serverInfo.description }),
      tools: tools.map(({ name, description }) => ({ name, ...(description !== undefined && { description }) })),
      hasDynamicTools: capabilities?.tools?.listChanged === true,
    };
  } finally {
    await client?.close();
  }
}
