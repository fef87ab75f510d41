import { Buffer } from 'node:buffer';
import { assertKnownOptions } from '../../schema/known-options.ts';
import type { Server } from '../../server/server.ts';
import type { ServerExtension } from '../../server/extension.ts';
import { type Resource, resource } from '../../server/define/define.ts';
import type { Scopes } from '../../server/define/feature-options.ts';
import { collectSkills, type StoredFile, type SkillCollection, type SkillHead } from './skill-collection.ts';
import type { SkillFiles } from './skill-files.ts';
import { getSkill, listSkills, ManifestCache, readDirectory, SkillVisibility } from './methods.ts';
import { joinSkills } from './join-skills.ts';
import { readFolder } from './read-folder.ts';
import { type Frontmatter, skillsId } from './skill.ts';
import { watchFolder } from './watch-folder.ts';
import { fileURLToPath } from 'node:url';

/** Options of `skills`. */
export interface SkillsOptions {
  /** Reloads the folder when it changes, and notifies clients. Default: true. */
  watch?: boolean;
  /**
   * Which files are in `resources/list`: each `SKILL.md`, or none. Clients find all of them with `skills/list`.
   * Default: `heads`.
   */
  listed?: 'heads' | 'none';
  /**
   * The scopes for seeing a skill: the same for all, or a function called for each. To other callers it looks missing.
   * Default: none.
   */
  scopes?: Scopes<[skill: SkillHead]>;
}

/** Skills of a server: pass it in `extensions` of `createServer`. */
export interface ServedSkills extends ServerExtension {
  /** Reloads the folder now. Throws if something in it is wrong; then the previous skills stay. */
  reload(): void;
  /** Stops watching. */
  close(): void;
}

/**
 * Serves the skills in a folder, or in the given files: each a folder with a `SKILL.md`. Everything is read and
 * validated at once, and a change is served completely or not at all.
 */
export function skills(from: string | URL | SkillFiles, options: SkillsOptions = {}): ServedSkills {
  assertKnownOptions('skills', options, ['watch', 'listed', 'scopes'] satisfies (keyof SkillsOptions)[]);
  const { watch = true, listed = 'heads', scopes } = options;
  assertOption('listed', listed, ['heads', 'none']);
  assertOption('watch', watch, [true, false]);
  const given = parseSource(from);
  const read = (): SkillCollection => collectSkills(typeof given === 'string' ? readFolder(given) : given, scopes);
  const served = new SkillVisibility(read());
  const manifests = new ManifestCache();
  const servers = new Set<Server>();
  let stop: (() => void) | undefined;

  const toResources: ToResources = (files) => {
    const heads = new Map(served.collection.skills.map(({ uri, frontmatter }) => [uri, frontmatter]));
    return Array.from(files, (file) => toResource(file, heads.get(file.uri), listed));
  };

  function reload(): void {
    const previous = served.collection;
    const latest = read();
    const diff = diffCollections(previous, latest, manifests);
    // All or nothing.
    for (const server of servers) assertUrisFree(server, diff.added, previous);
    served.collection = latest;
    for (const server of servers) applyDiff(server, diff, toResources);
  }

  function reloadOnChange(): void {
    try {
      reload();
    } catch (error) {
      for (const server of servers) server.reportError('Skills changed and are invalid; the previous ones stay', error);
    }
  }

  function startWatching(folder: string): void {
    const failed = (error: unknown): void => {
      for (const server of servers) server.reportError(`Changes of skills in "${folder}" are not watched`, error);
    };
    stop = watchFolder(folder, { changed: reloadOnChange, failed });
  }

  return {
    id: skillsId,
    settings: { directoryRead: true },
    methods: {
      'skills/list': listSkills(served, manifests),
      'skills/get': getSkill(served, manifests),
      'resources/directory/read': readDirectory(served),
    },
    install(server) {
      servers.add(server);
      server.resources.add(...toResources(served.collection.files.values()));
      if (watch && typeof given === 'string' && stop === undefined) startWatching(given);
    },
    join: joinSkills,
    reload,
    close() {
      stop?.();
      stop = undefined;
    },
  };
}

function assertOption(option: string, value: unknown, values: readonly unknown[]): void {
  if (values.includes(value)) return;
  const known = values.map((each) => JSON.stringify(each)).join(' or ');
  throw new TypeError(`skills: "${option}" must be ${known}, not ${JSON.stringify(value)}`);
}

interface CollectionDiff {
  readonly removed: readonly StoredFile[];
  readonly added: readonly StoredFile[];
}

/** Compares two collections. Each byte is compared once, since this blocks the server. */
function diffCollections(previous: SkillCollection, latest: SkillCollection, manifests: ManifestCache): CollectionDiff {
  const same = new Set<string>();
  for (const [uri, file] of latest.files) {
    const other = previous.files.get(uri);
    if (other === undefined || Buffer.compare(file.bytes, other.bytes) !== 0) continue;
    manifests.reuse(file, other);
    if (sameScopes(file.scopes, other.scopes)) same.add(uri);
  }
  const isOther = ({ uri }: StoredFile): boolean => !same.has(uri);
  return { removed: [...previous.files.values()].filter(isOther), added: [...latest.files.values()].filter(isOther) };
}

function assertUrisFree({ resources }: Server, files: readonly StoredFile[], previous: SkillCollection): void {
  const taken = files.find(({ uri }) => resources.has(uri) && !previous.files.has(uri));
  if (taken === undefined) return;
  throw new TypeError(`"${taken.path}": there is another resource at ${taken.uri}: give the file another name`);
}

type ToResources = (files: Iterable<StoredFile>) => Resource[];

/** Replaces the resources that changed, and notifies subscribers of updated files. */
function applyDiff(server: Server, { removed, added }: CollectionDiff, toResources: ToResources): void {
  // Before their removal: callers who could not see them get no notification.
  for (const { uri } of removed) server.resources.updated(uri);
  for (const { uri } of removed) server.resources.remove(uri);
  if (added.length > 0) server.resources.add(...toResources(added));
}

function toResource(file: StoredFile, head: Frontmatter | undefined, listed: 'heads' | 'none'): Resource {
  const { uri, path, bytes, text, mimeType, scopes } = file;
  const about = head === undefined ? { name: fileName(path) } : { name: head.name, description: head.description };
  const isListed = head !== undefined && listed === 'heads';
  const guard = scopes === undefined ? {} : { scopes, secret: true };
  return resource(uri, { ...about, ...guard, mimeType, size: bytes.byteLength, listed: isListed }, () => text ?? bytes);
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function sameScopes(one: StoredFile['scopes'], other: StoredFile['scopes']): boolean {
  return one === undefined || other === undefined ? one === other : one.join(' ') === other.join(' ');
}

/** Parses the source of skills: a folder or files. Throws a `TypeError` that says what to write instead. */
function parseSource(from: string | URL | SkillFiles): string | SkillFiles {
  if (typeof from === 'string' && from !== '') return from;
  if (from instanceof URL) {
    if (from.protocol === 'file:') return fileURLToPath(from);
    throw new TypeError(`skills reads files of this machine, and ${from.href.slice(0, 200)} is elsewhere`);
  }
  if (Array.isArray(from)) {
    throw new TypeError('skills takes one folder, and a list was given: put the folders of all skills into one');
  }
  if (typeof from !== 'object' || from === null) {
    throw new TypeError(
      'skills needs a folder, such as skills(new URL("./skills", import.meta.url)), or files by their paths',
    );
  }
  for (const [path, contents] of Object.entries(from as Readonly<Record<string, unknown>>)) {
    if (typeof contents === 'string' || contents instanceof Uint8Array) continue;
    throw new TypeError(`${JSON.stringify(path)} has no contents: give a text or a Uint8Array`);
  }
  return from;
}
