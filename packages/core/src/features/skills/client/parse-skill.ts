import { isObject } from '../../../jsonrpc/message.ts';
import { exceeds } from '../../../jsonrpc/size.ts';
import { checkFrontmatter, deepestHead, longestHead } from '../frontmatter.ts';
import { maxBytes, maxFiles, type Skill, type SkillFile, skillFileName } from '../skill.ts';

/** Parses an entry of a server's list. Throws a `SkillError` if it is invalid. */
export function parseSkill(entry: unknown): Skill {
  const { uri, frontmatter, resources } = isObject(entry) ? entry : {};
  const address = typeof uri === 'string' ? uri : '';
  const reject = (message: string): never => {
    throw new SkillError(message, 'entry', address);
  };
  if (typeof uri !== 'string' || !uri.endsWith(`/${skillFileName}`)) {
    return reject(`A skill has the address of its ${skillFileName}`);
  }
  const [, path = ''] = /^[a-z][a-z0-9+.-]*:\/\/(.+)$/is.exec(uri) ?? [];
  if (!isSafePath(path)) return reject('Its address must be a scheme, "://" and the names of folders');
  if (!isObject(frontmatter)) return reject('An entry has no "frontmatter"');
  if (exceeds(frontmatter, { length: longestHead, depth: deepestHead })) {
    return reject(`Its head is longer than ${longestHead} characters, or nested more than ${deepestHead} levels deep`);
  }
  let head: Skill['frontmatter'];
  try {
    head = checkFrontmatter(frontmatter);
  } catch (error) {
    return reject((error as Error).message);
  }
  const folder = uri.slice(0, -skillFileName.length);
  if (!folder.endsWith(`/${head.name}/`)) return reject(`The folder of the skill "${head.name}" has another name`);
  if (resources === 'dynamic') return { uri, frontmatter: head, resources };
  if (!Array.isArray(resources)) return reject('"resources" must be a list of files, or "dynamic"');
  const files = resources as unknown[];
  if (!files.every(isFile)) return reject('A file needs a "uri", a "digest" of SHA-256 and a "size" in bytes');
  checkFiles(files, { uri, folder, reject });
  return { uri, frontmatter: head, resources: files };
}

interface FileCheck {
  uri: string;
  folder: string;
  reject(message: string): never;
}

function checkFiles(files: readonly SkillFile[], { uri, folder, reject }: FileCheck): void {
  const addresses = new Set(files.map((file) => file.uri));
  if (files.length > maxFiles) reject(`It has ${files.length} files: more than ${maxFiles} are not taken`);
  if (addresses.size < files.length) reject('A file is listed twice in "resources"');
  if (!addresses.has(uri)) reject(`"resources" lacks its ${skillFileName}`);
  const stranger = files.find((file) => relativePath(folder, file.uri) === undefined);
  if (stranger !== undefined) reject(`${JSON.stringify(stranger.uri.slice(0, 200))} is outside of its folder`);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > maxBytes) reject(`It has ${size} bytes: more than ${maxBytes} are not taken`);
}

function isFile(file: unknown): file is SkillFile {
  if (!isObject(file)) return false;
  const { uri, digest, size } = file;
  const isSize = Number.isSafeInteger(size) && (size as number) >= 0;
  return typeof uri === 'string' && typeof digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(digest) && isSize;
}

/** The path of a file relative to its skill's folder; undefined if it lies outside. */
export function relativePath(folder: string, uri: string): string | undefined {
  if (!uri.startsWith(folder)) return undefined;
  const parts = uri.slice(folder.length).split('/').map(decodePart);
  return parts.every(isSafeName) ? parts.join('/') : undefined;
}

/** Prevents path traversal: true if no segment, plain or encoded, leads out of its folder. */
function isSafePath(address: string): boolean {
  return address.split('/').map(decodePart).every(isSafeName);
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function isSafeName(part: string | undefined): part is string {
  return part !== undefined && part !== '' && part !== '.' && part !== '..' && !/\p{Cc}|[/\\]/u.test(part);
}

/** The kind of problem: the skill differs from the server's list, or the entry is invalid. */
export type SkillProblem = 'entry' | 'size' | 'digest' | 'frontmatter' | 'unlisted' | 'unreadable';

/** A skill that must not be used. Get its entry again, and ask the user again. */
export class SkillError extends Error {
  override name = 'SkillError';

  constructor(
    message: string,
    readonly problem: SkillProblem,
    /** The URI with the problem. */
    readonly uri: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
