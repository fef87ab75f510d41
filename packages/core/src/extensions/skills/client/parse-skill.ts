import { isObject } from '../../../jsonrpc/message.ts';
import { exceeds } from '../../../jsonrpc/size.ts';
import { limits } from '../../../limits.ts';
import { checkFrontmatter } from '../frontmatter.ts';
import { type Skill, type SkillFile, skillFileName } from '../skill.ts';
import { isSafePath, relativePath } from './skill-paths.ts';
import { SkillError } from './skill-error.ts';

/** Parses an entry of a server's list. Throws a `SkillError` if it is invalid. */
export function parseSkill(entry: unknown): Skill {
  const { uri, frontmatter, resources } = isObject(entry) ? entry : {};
  const address = typeof uri === 'string' ? uri : '';
  const refuse = (message: string): never => {
    throw new SkillError(message, 'entry', address);
  };
  if (typeof uri !== 'string' || !uri.endsWith(`/${skillFileName}`)) {
    return refuse(`A skill has the address of its ${skillFileName}`);
  }
  const [, path = ''] = /^[a-z][a-z0-9+.-]*:\/\/(.+)$/is.exec(uri) ?? [];
  if (!isSafePath(path)) return refuse('Its address must be a scheme, "://" and the names of folders');
  if (!isObject(frontmatter)) return refuse('An entry has no "frontmatter"');
  const { frontmatter: longest, nesting } = limits.skills;
  if (exceeds(frontmatter, { length: longest.value, depth: nesting.value })) {
    return refuse(
      `Its head is longer than ${longest.value} characters, or nested more than ${nesting.value} levels deep`,
    );
  }
  let head: Skill['frontmatter'];
  try {
    head = checkFrontmatter(frontmatter);
  } catch (error) {
    return refuse((error as Error).message);
  }
  const folder = uri.slice(0, -skillFileName.length);
  if (!folder.endsWith(`/${head.name}/`)) return refuse(`The folder of the skill "${head.name}" has another name`);
  if (resources === 'dynamic') return { uri, frontmatter: head, resources };
  if (!Array.isArray(resources)) return refuse('"resources" must be a list of files, or "dynamic"');
  const files = resources as unknown[];
  if (!files.every(isFile)) return refuse('A file needs a "uri", a "digest" of SHA-256 and a "size" in bytes');
  checkFiles(files, { uri, folder, refuse });
  return { uri, frontmatter: head, resources: files };
}

interface FileCheck {
  uri: string;
  folder: string;
  refuse(message: string): never;
}

function checkFiles(files: readonly SkillFile[], { uri, folder, refuse }: FileCheck): void {
  const { files: most, size: largest } = limits.skills;
  const addresses = new Set(files.map((file) => file.uri));
  if (files.length > most.value) refuse(`It has ${files.length} files: more than ${most.value} are not taken`);
  if (addresses.size < files.length) refuse('A file is listed twice in "resources"');
  if (!addresses.has(uri)) refuse(`"resources" lacks its ${skillFileName}`);
  const stranger = files.find((file) => relativePath(folder, file.uri) === undefined);
  if (stranger !== undefined) refuse(`${JSON.stringify(stranger.uri.slice(0, 200))} is outside of its folder`);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > largest.value) refuse(`It has ${size} bytes: more than ${largest.value} are not taken`);
}

function isFile(file: unknown): file is SkillFile {
  if (!isObject(file)) return false;
  const { uri, digest, size } = file;
  const isSize = Number.isSafeInteger(size) && (size as number) >= 0;
  return typeof uri === 'string' && typeof digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(digest) && isSize;
}
