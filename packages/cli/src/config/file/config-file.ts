import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readRegularFile } from './regular-file.ts';

/** A client's file as it was read. */
export interface ConfigFile {
  /** The resolved path: a link to the file is preserved. */
  path: string;
  /** Absent if the file does not exist. */
  bytes?: Buffer;
  /** The text, without a byte order mark. */
  text: string;
  mark: '' | '\uFEFF';
}

/** Reads a file that may be missing. */
export function readConfigFile(path: string): ConfigFile {
  const real = realPath(path);
  const bytes = readRegularFile(real);
  if (bytes === undefined) return { path: real, text: '', mark: '' };
  const text = decode(bytes, path);
  return text.startsWith('\uFEFF')
    ? { path: real, bytes, text: text.slice(1), mark: '\uFEFF' }
    : { path: real, bytes, text, mark: '' };
}

/** Replaces the text of a file atomically, and returns the path of a backup. */
export function writeConfigFile(file: ConfigFile, text: string, now: Date): string | undefined {
  const { path, bytes, mark } = file;
  makeFolder(dirname(path));
  if (bytes !== undefined && isReadOnly(path)) throw new Error(`${path} may not be written: it is read-only`);
  const draft = makeDraft(path, Buffer.from(mark + text));
  let backup: string | undefined;
  try {
    if (bytes !== undefined) {
      copyMode(draft, path);
      backup = createBackup(path, bytes, now);
    }
    assertUnchanged(file);
    renameSync(draft, path);
    return backup;
  } catch (error) {
    rmSync(draft, { force: true });
    if (backup !== undefined) rmSync(backup, { force: true });
    throw error;
  }
}

/** Replaces a file that holds no secrets atomically, without a backup. */
export function replaceFile(file: ConfigFile, text: string): void {
  const { path, bytes, mark } = file;
  makeFolder(dirname(path));
  if (bytes !== undefined && isReadOnly(path)) throw new Error(`${path} may not be written: it is read-only`);
  const draft = makeDraft(path, Buffer.from(mark + text));
  try {
    if (bytes === undefined) chmodSync(draft, 0o666 & ~process.umask());
    else copyMode(draft, path);
    assertUnchanged(file);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The backups of a file, newest first. */
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

/** Restores a file from a backup, and deletes the backup. */
export function restoreConfigFile(file: ConfigFile, backup: ConfigFile): void {
  const draft = makeDraft(file.path, backup.bytes ?? Buffer.alloc(0));
  try {
    copyMode(draft, file.path);
    assertUnchanged(file);
    renameSync(draft, file.path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  rmSync(backup.path);
}

/** Removes a file, unless it has changed since it was read. */
export function removeConfigFile(file: ConfigFile): void {
  assertUnchanged(file);
  rmSync(file.path);
}

/** Writes the new content to a temporary file beside the old one. */
function makeDraft(path: string, bytes: Buffer): string {
  const draft = `${path}.${process.pid}.new`;
  try {
    // New files are private, because they contain keys.
    writeFileSync(draft, bytes, { flag: 'wx', mode: 0o600 });
    return draft;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new Error(`${draft} is in the way; remove it if nobody needs it`, { cause: error });
    }
    // A full disk leaves a partial file.
    rmSync(draft, { force: true });
    throw error;
  }
}

function isReadOnly(path: string): boolean {
  return (statSync(path).mode & 0o222) === 0;
}

/** Creates a folder, unless a dangling link is on the path: its target may be missing only for now. */
function makeFolder(folder: string): void {
  for (let path = folder; ; path = dirname(path)) {
    const about = lstatSync(path, { throwIfNoEntry: false });
    if (about?.isSymbolicLink() === true && statSync(path, { throwIfNoEntry: false }) === undefined) {
      throw new Error(`${path} is a link to ${readlinkSync(path)}, which does not exist; nothing was written`);
    }
    if (about !== undefined || path === dirname(path)) break;
  }
  mkdirSync(folder, { recursive: true });
}

function copyMode(draft: string, path: string): void {
  const { mode, uid, gid } = statSync(path);
  chmodSync(draft, mode);
  const own = statSync(draft);
  if (own.uid !== uid || own.gid !== gid) chownSync(draft, uid, gid);
}

function assertUnchanged({ path, bytes }: ConfigFile): void {
  const now = readRegularFile(path);
  if (now === undefined && bytes === undefined) return;
  if (now === undefined || bytes === undefined || !now.equals(bytes)) {
    throw new Error(`${path} was changed meanwhile; nothing was written, try again`);
  }
}

function createBackup(path: string, bytes: Buffer, now: Date): string {
  const stamp = now.toISOString().replaceAll(/[-:.]/g, '');
  const taken = new Set(backupsOf(path));
  let backup = `${path}.bak-${stamp}`;
  for (let count = 2; taken.has(backup); count += 1) backup = `${path}.bak-${stamp}-${count}`;
  writeFileSync(backup, bytes, { flag: 'wx', mode: 0o600 });
  copyMode(backup, path);
  return backup;
}

function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${path} is not written in UTF-8`);
  }
}

function realPath(path: string): string {
  return ignoreMissing(() => realpathSync(path)) ?? path;
}

function ignoreMissing<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
