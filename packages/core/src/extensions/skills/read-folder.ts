import * as fs from 'node:fs';
import * as path from 'node:path';
import { limits } from '../../limits.ts';
import { whyUnreadable } from '../unreadable.ts';
import type { SkillFiles } from './files.ts';
import { skillFileName } from './skill.ts';

const mostBytes = limits.skills.all.value;
const deepest = limits.skills.depth.value;

/**
 * Reads all files below a folder, but those whose names begin with a dot. Where the folder is a skill itself, its files
 * stand below its own name. What is neither a file nor a folder is refused: it could lead anywhere.
 */
export function readFolder(folder: string): SkillFiles {
  const files: Record<string, Uint8Array> = {};
  let left = mostBytes;
  checkFolder(folder);
  const isSkill = fs.existsSync(path.join(folder, skillFileName));
  const base = isSkill ? [path.basename(path.resolve(folder))] : [];

  function visit(at: string, parts: readonly string[]): void {
    const entries = fs.readdirSync(at, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'));
    if (entries.length > 0 && parts.length > deepest) {
      throw new TypeError(`"${at}" is more than ${deepest} folders deep: skills are not looked for there`);
    }
    for (const entry of entries) take(entry, path.join(at, entry.name), [...parts, entry.name]);
  }

  function take(entry: fs.Dirent, at: string, parts: readonly string[]): void {
    if (entry.isDirectory()) return visit(at, parts);
    if (!entry.isFile()) throw new TypeError(`"${at}" is ${kindOf(entry)}: a skill has plain files and folders only`);
    const bytes = readPlain(at);
    left -= bytes.byteLength;
    if (left < 0) throw new TypeError(`The files below "${folder}" are larger than ${mostBytes} bytes together`);
    files[parts.join('/')] = bytes;
  }

  /** Opened without following a link that took the place of the file meanwhile, and read no further than there is room. */
  function readPlain(at: string): Uint8Array {
    // Windows has no such flags.
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    const handle = fs.openSync(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const { size } = fs.fstatSync(handle);
      if (size > left) throw new TypeError(`"${at}" has ${size} bytes: all skills may have ${mostBytes} together`);
      return fs.readFileSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  }

  visit(folder, base);
  if (Object.keys(files).length === 0) {
    throw new TypeError(`There is no skill in "${folder}": put folders there, each with a ${skillFileName}`);
  }
  return files;
}

function checkFolder(folder: string): void {
  let isFolder = false;
  try {
    isFolder = fs.statSync(folder).isDirectory();
  } catch (error) {
    throw new TypeError(`Skills can't be read: ${whyUnreadable(folder, error)}`, { cause: error });
  }
  if (!isFolder) throw new TypeError(`Skills are read from a folder, and "${folder}" is a file`);
}

function kindOf(entry: fs.Dirent): string {
  if (entry.isSymbolicLink()) return 'a link';
  return entry.isFIFO() || entry.isSocket() ? 'a pipe or socket' : 'a device';
}
