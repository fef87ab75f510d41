import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { homedir } from 'node:os';

const maxBytes = 1024 * 1024;

/** A folder whose files only their owner can read. */
export interface PrivateFolder {
  readonly path: string;
  /** Reads a file; undefined if it is missing. Throws where other users can access it. */
  read(name: string): Promise<string | undefined>;
  /** Writes a file atomically. */
  write(name: string, text: string): Promise<void>;
  delete(name: string): Promise<void>;
  names(): Promise<string[]>;
  /** Creates the folder if needed, and checks that only its owner can access it. */
  ready(): Promise<void>;
}

/** Opens a folder; the first write creates it. `advice` ends the error about an unusable file. */
export function privateFolder(path: string, advice = 'delete it and sign in again'): PrivateFolder {
  const pathOf = (name: string): string => join(path, name);

  async function check(): Promise<boolean> {
    const about = await stat(path).catch(ignoreMissing);
    if (about === undefined) return false;
    if (!about.isDirectory()) throw new Error(`${path} is no folder: move it away`);
    requirePrivate(path, about, { command: 'chmod 700', advice });
    return true;
  }

  async function ready(): Promise<void> {
    if (await check()) return;
    await mkdir(path, { recursive: true, mode: 0o700 });
    await check();
  }

  return {
    path,
    ready,
    async read(name) {
      if (!(await check())) return undefined;
      // Follows no link and waits for no pipe: this program creates neither.
      const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
      const file = await open(pathOf(name), flags).catch(ignoreMissing);
      try {
        return file && (await readPrivate(file, pathOf(name), advice));
      } finally {
        await file?.close();
      }
    },
    async write(name, text) {
      await ready();
      const temporary = pathOf(`${name}.${randomUUID()}.tmp`);
      const file = await open(temporary, 'wx', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, pathOf(name)).catch(async (error: unknown) => {
        await rm(temporary, { force: true });
        throw error;
      });
    },
    delete: (name) => rm(pathOf(name), { force: true }),
    names: async () => ((await check()) ? readdir(path) : []),
  };
}

async function readPrivate(file: FileHandle, path: string, advice: string): Promise<string> {
  const about = await file.stat();
  if (!about.isFile()) throw new Error(`${path} is no file: move it away`);
  requirePrivate(path, about, { command: 'chmod 600', advice });
  if (about.size > maxBytes) throw new Error(`${path} is longer than any such file: ${advice}`);
  return file.readFile('utf8');
}

/** Rejects files that other users can read: their content may have leaked. */
function requirePrivate(
  path: string,
  { mode, uid }: { mode: number; uid: number },
  { command, advice }: { command: string; advice: string },
): void {
  if (process.getuid === undefined) return;
  if (uid !== process.getuid()) throw new Error(`${path} belongs to another user: it is not used`);
  if ((mode & 0o077) === 0) return;
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  throw new Error(
    `${path} can be used by others than its owner (mode ${octal}), so it is not used. Write "${command} '${path}'" if nobody ` +
      `else has read it, or ${advice}`,
  );
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  if (error.code === 'ELOOP') throw new Error(`${error.path} is a link: it is not used`, { cause: error });
  throw error;
}

/** A collision-resistant name for a text, which files and keychains accept. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40);
}

/** The platform that a command runs on. */
export interface Platform {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
}

/** The platform of this process. */
export const thisPlatform: Platform = { env: process.env, platform: process.platform };

/** The folder where programs store state between runs. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  if (platform === 'win32') return env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
}
