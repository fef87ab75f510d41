import {
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A client's file as it was read. */
export interface ConfigFile {
  /** Where the file really is: a link to it stays one. */
  path: string;
  /** Absent where there is no file yet. */
  bytes?: Buffer;
  /** What it says, without a byte order mark. */
  text: string;
  mark: '' | '\uFEFF';
}

/** Reads a file that need not be there. */
export function readConfigFile(path: string): ConfigFile {
  const real = realPath(path);
  const bytes = bytesOf(real);
  if (bytes === undefined) return { path: real, text: '', mark: '' };
  const text = decode(bytes, path);
  return text.startsWith('\uFEFF')
    ? { path: real, bytes, text: text.slice(1), mark: '\uFEFF' }
    : { path: real, bytes, text, mark: '' };
}

/** Puts a new text in the place of the old one, in one step, and returns the path of a copy of the old one. */
export function writeConfigFile(file: ConfigFile, text: string, now: Date): string | undefined {
  mkdirSync(dirname(file.path), { recursive: true });
  const backup = file.bytes === undefined ? undefined : backUp(file.path, now);
  replace(file, Buffer.from(file.mark + text));
  return backup;
}

/** The copies that were made of a file, newest first. */
export function backupsOf(path: string): string[] {
  const prefix = `${basename(path)}.bak-`;
  const names = readdirSync(dirname(path)).filter(
    (name) => name.startsWith(prefix) && /^\d{8}T\d{9}Z(?:-\d+)?$/.test(name.slice(prefix.length)),
  );
  return names
    .sort()
    .reverse()
    .map((name) => join(dirname(path), name));
}

/** Makes a file what it was when a copy was made of it. The copy goes. */
export function restoreConfigFile(file: ConfigFile, backup: string): void {
  replace(file, readFileSync(backup));
  rmSync(backup);
}

/** Removes a file, unless it has changed since it was read. */
export function removeConfigFile(file: ConfigFile): void {
  assertUnchanged(file);
  rmSync(file.path);
}

function replace(file: ConfigFile, bytes: Buffer): void {
  const draft = `${file.path}.${process.pid}.new`;
  try {
    // Others may not read a new file: there are keys in such files.
    writeFileSync(draft, bytes, { flag: 'wx', mode: 0o600 });
    if (file.bytes !== undefined) dressAs(draft, file.path);
    assertUnchanged(file);
    renameSync(draft, file.path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function dressAs(draft: string, path: string): void {
  const { mode, uid, gid } = statSync(path);
  chmodSync(draft, mode);
  const own = statSync(draft);
  if (own.uid !== uid || own.gid !== gid) chownSync(draft, uid, gid);
}

function assertUnchanged({ path, bytes }: ConfigFile): void {
  const now = bytesOf(path);
  if (now === undefined && bytes === undefined) return;
  if (now === undefined || bytes === undefined || !now.equals(bytes)) {
    throw new Error(`${path} has just been changed by somebody else; nothing was written, try again`);
  }
}

function backUp(path: string, now: Date): string {
  const stamp = now.toISOString().replaceAll(/[-:.]/g, '');
  const taken = new Set(backupsOf(path));
  let backup = `${path}.bak-${stamp}`;
  for (let count = 2; taken.has(backup); count += 1) backup = `${path}.bak-${stamp}-${count}`;
  copyFileSync(path, backup, constants.COPYFILE_EXCL);
  return backup;
}

function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${path} is not written in UTF-8`);
  }
}

function bytesOf(path: string): Buffer | undefined {
  return unlessMissing(() => readFileSync(path));
}

function realPath(path: string): string {
  return unlessMissing(() => realpathSync(path)) ?? path;
}

function unlessMissing<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
