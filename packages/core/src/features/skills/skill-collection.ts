import { textOf } from '../../jsonrpc/text.ts';
import type { Scopes } from '../../server/define/feature-options.ts';
import { allScopes, validateScopes, scopeRule } from '../scopes/scope-rule.ts';
import { toBytes, mimeTypeOf, type SkillFiles } from './skill-files.ts';
import { checkFrontmatter, parseSkillText } from './frontmatter.ts';
import { type Frontmatter, maxBytes, maxFiles, skillFileName } from './skill.ts';

/** A file of a skill, ready to be served. */
export interface StoredFile {
  readonly uri: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Its content, if it is text. */
  readonly text: string | undefined;
  readonly mimeType: string;
  /** The scopes for seeing it: those of all skills that contain it. */
  readonly scopes: readonly string[] | undefined;
}

/** A skill with its files. */
export interface StoredSkill {
  readonly uri: string;
  /** Its folder, relative to the root of all skills. */
  readonly folder: string;
  readonly frontmatter: Frontmatter;
  readonly files: readonly StoredFile[];
  /** The scopes for seeing it, including those of enclosing skills. */
  readonly scopes: readonly string[] | undefined;
}

/** The part of a skill that decides about its scopes. */
export type SkillHead = Pick<StoredSkill, 'uri' | 'folder' | 'frontmatter'>;

/** An immutable snapshot of all skills. */
export interface SkillCollection {
  /** Sorted by URI. */
  readonly skills: readonly StoredSkill[];
  readonly files: ReadonlyMap<string, StoredFile>;
  /** The entries of each folder, by its URI. */
  readonly folders: ReadonlyMap<string, ReadonlyMap<string, StoredFile | 'folder'>>;
}

/** The maximum length of all files of all skills, in bytes. */
export const maxTotalBytes = 128 * 1024 * 1024;
/** The maximum files and folders of all skills. */
export const maxEntries = 8192;

/** Creates skills from files; each requires `scopes`. Throws an error that names the file and says what is wrong. */
export function collectSkills(given: SkillFiles, scopes?: Scopes<[skill: SkillHead]>): SkillCollection {
  const paths = Object.keys(given);
  if (paths.length > maxEntries) {
    throw new TypeError(`There are ${paths.length} files, and skills may have ${maxEntries} together`);
  }
  const files = paths.map((path) => toStoredFile(path, given[path] as string | Uint8Array));
  files.sort((one, other) => compare(one.uri, other.uri));
  checkSize('All skills together', files, maxTotalBytes);
  const heads = files.filter(({ path }) => path.endsWith(`/${skillFileName}`));
  const { bySkill, stray } = groupBySkill(files, new Set(heads.map(folderOf)));
  const skills = heads.map((head) => toStoredSkill(head, bySkill.get(folderOf(head)) ?? []));
  checkNames(skills);
  if (stray !== undefined) {
    const head = files.find(({ path }) => /\/skill\.md$/i.test(path) && !path.endsWith(`/${skillFileName}`));
    if (head !== undefined)
      throw new TypeError(`"${head.path}" is taken for a skill only when it is named ${skillFileName}, in capitals`);
    throw new TypeError(
      `"${stray.path}" belongs to no skill: each skill is a folder with a ${skillFileName} in it; move or remove the file`,
    );
  }
  checkCaseConflicts(files);
  return scopes === undefined ? toCollection(skills) : toCollection(withRequiredScopes(skills, scopes));
}

function toCollection(skills: readonly StoredSkill[]): SkillCollection {
  const files = new Map<string, StoredFile>();
  for (const skill of skills) for (const file of skill.files) files.set(file.uri, file);
  return { skills, files, folders: foldersOf(skills) };
}

/** Adds the required scopes. A nested skill requires at least those of its parents. */
function withRequiredScopes(skills: readonly StoredSkill[], scopes: Scopes<[skill: SkillHead]>): StoredSkill[] {
  const own = new Map<string, readonly string[] | undefined>();
  for (const { uri, folder, frontmatter } of skills) {
    const rule = scopeRule(`Skill "${folder}"`, { scopes });
    own.set(folder, rule?.of({ uri, folder, frontmatter }));
  }
  const demandedAt = (path: string): readonly string[] | undefined => {
    const all = allScopes(foldersAbove(path).map((folder) => own.get(folder)));
    return all === undefined ? undefined : validateScopes(`"${path}", with the skills that it stands within`, all);
  };
  const known = new Map<StoredFile, StoredFile>();
  const withScopes = (file: StoredFile): StoredFile => {
    const made = known.get(file) ?? { ...file, scopes: demandedAt(file.path) };
    known.set(file, made);
    return made;
  };
  return skills.map((skill) => ({
    ...skill,
    files: skill.files.map(withScopes),
    scopes: demandedAt(`${skill.folder}/${skillFileName}`),
  }));
}

/** The skills that a caller may see. Skills with all of their files stay the same objects. */
export function filterVisible(
  { skills }: SkillCollection,
  has: (scopes: StoredSkill['scopes']) => boolean,
): SkillCollection {
  const visible = skills.filter((skill) => has(skill.scopes));
  return toCollection(
    visible.map((skill) => {
      const files = skill.files.filter((file) => has(file.scopes));
      return files.length === skill.files.length ? skill : { ...skill, files };
    }),
  );
}

interface GroupedFiles {
  readonly bySkill: ReadonlyMap<string, readonly StoredFile[]>;
  /** The first file that belongs to no skill. */
  readonly stray: StoredFile | undefined;
}

/** Groups files by skill: a file of nested skills belongs to several. */
function groupBySkill(files: readonly StoredFile[], folders: ReadonlySet<string>): GroupedFiles {
  const bySkill = new Map<string, StoredFile[]>(Array.from(folders, (folder) => [folder, []]));
  const stray = files.filter((file) => {
    const owners = foldersAbove(file.path).filter((folder) => folders.has(folder));
    for (const folder of owners) bySkill.get(folder)?.push(file);
    return owners.length === 0;
  });
  return { bySkill, stray: stray[0] };
}

function* slashesOf(path: string): Generator<number, void, undefined> {
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) yield at;
}

/** All folders above a path, the outermost first. */
function foldersAbove(path: string): string[] {
  return Array.from(slashesOf(path), (at) => path.slice(0, at));
}

function folderOf({ path }: StoredFile): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Rejects names that collide on case-insensitive or normalizing file systems, where hosts may store a skill. */
function checkCaseConflicts(files: readonly StoredFile[]): void {
  const known = new Map<string, string>();
  for (const { path } of files) {
    for (const each of [...foldersAbove(path), path]) {
      const alike = each.normalize('NFC').toLowerCase();
      const other = known.get(alike) ?? each;
      if (other !== each) {
        throw new TypeError(
          `"${other}" and "${each}" differ only in capitals, or in how a letter is encoded: many machines take them for one`,
        );
      }
      known.set(alike, each);
    }
  }
}

function toSkillUri(path: string): string {
  return `skill://${path.split('/').map(encodeURIComponent).join('/')}`;
}

function toStoredFile(path: string, content: string | Uint8Array): StoredFile {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /\\|\p{Cc}|\p{Cs}/u.test(part))) {
    throw new TypeError(
      `${JSON.stringify(path)} is no path of a skill's file: write it like "pdf-forms/${skillFileName}"`,
    );
  }
  const bytes = toBytes(content);
  const text = textOf(bytes);
  const mimeType = mimeTypeOf(path, text !== undefined);
  return { uri: toSkillUri(path), path, bytes, text, mimeType, scopes: undefined };
}

function toStoredSkill({ uri, path, text }: StoredFile, files: readonly StoredFile[]): StoredSkill {
  const folder = path.slice(0, -skillFileName.length - 1);
  const parts = folder.split('/');
  const frontmatter = withPath(path, () => {
    if (text === undefined) throw new Error('it is not UTF-8 text');
    return checkFrontmatter(parseSkillText(text).frontmatter);
  });
  if (frontmatter.name !== parts.at(-1)) {
    throw new TypeError(
      `"${path}": its name is "${frontmatter.name}", and its folder "${parts.at(-1)}": both must be the same`,
    );
  }
  const [first = ''] = parts;
  if (!/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/.test(first)) {
    throw new TypeError(
      `"${path}": the first folder must be named with a-z, 0-9, "-", "_" and ".", since it stands for a host`,
    );
  }
  if (files.length > maxFiles) {
    throw new TypeError(`Skill "${folder}" has ${files.length} files, and may have ${maxFiles}`);
  }
  checkSize(`Skill "${folder}"`, files, maxBytes);
  return { uri, folder, frontmatter, files, scopes: undefined };
}

function withPath<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new TypeError(`"${path}": ${(error as Error).message}`, { cause: error });
  }
}

function checkSize(what: string, files: readonly StoredFile[], most: number): void {
  const size = files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  if (size > most) throw new TypeError(`${what} has ${size} bytes, and may have ${most}: leave out what is not needed`);
}

function checkNames(skills: readonly StoredSkill[]): void {
  const folders = new Map<string, string>();
  for (const { folder, frontmatter } of skills) {
    const other = folders.get(frontmatter.name);
    if (other !== undefined) {
      throw new TypeError(`"${other}" and "${folder}" have the same name: clients tell skills of a server apart by it`);
    }
    folders.set(frontmatter.name, folder);
  }
}

function foldersOf(skills: readonly StoredSkill[]): SkillCollection['folders'] {
  const folders = new Map<string, Map<string, StoredFile | 'folder'>>();
  const childrenOf = (folder: string): Map<string, StoredFile | 'folder'> => {
    const address = toSkillUri(folder);
    const children = folders.get(address) ?? new Map<string, StoredFile | 'folder'>();
    folders.set(address, children);
    return children;
  };
  for (const { folder, files } of skills) {
    childrenOf(folder);
    for (const file of files) {
      const parts = file.path.split('/');
      childrenOf(parts.slice(0, -1).join('/')).set(file.uri, file);
      for (let depth = parts.length - 1; parts.slice(0, depth).join('/') !== folder; depth -= 1) {
        const inner = parts.slice(0, depth).join('/');
        childrenOf(parts.slice(0, depth - 1).join('/')).set(toSkillUri(inner), 'folder');
      }
    }
  }
  return folders;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
