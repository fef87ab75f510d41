import type { Server } from '../../server/server.ts';
import type { ServerExtension } from '../../server/extension.ts';
import { resource } from '../../server/define.ts';
import type { Resource } from '../../server/define.ts';
import { collectSkills, type KeptFile, type SkillCollection } from './collection.ts';
import type { SkillFiles } from './files.ts';
import { Manifests } from './manifests.ts';
import { readDirectory } from './methods/resources/directory/read.ts';
import { getSkill } from './methods/skills/get.ts';
import { listSkills } from './methods/skills/list.ts';
import { readFolder } from './read-folder.ts';
import { skillsId } from './skill.ts';
import { watchFolder } from './watch-folder.ts';

/** How skills are served. */
export interface SkillsOptions {
  /** Reads the folder anew when something in it changes, and tells clients. Default: true. */
  watch?: boolean;
}

/** Skills that a server serves: give it to `extensions` of `createServer`. */
export interface ServedSkills extends ServerExtension {
  /** Reads the folder anew, now. Throws where something in it is wrong; then what was served before still is. */
  reload(): void;
  /** Stops looking for changes. */
  close(): void;
}

/**
 * Serves the skills in a folder, or those whose files are given: each a folder with a `SKILL.md`. Everything is read and
 * checked at once, and clients get what was read: a change is served as a whole, or not at all.
 */
export function skills(from: string | SkillFiles, { watch = true }: SkillsOptions = {}): ServedSkills {
  const read = (): SkillCollection => collectSkills(typeof from === 'string' ? readFolder(from) : from);
  const served = { collection: read() };
  const manifests = new Manifests();
  const servers = new Set<Server>();
  let stop: (() => void) | undefined;

  function reload(): void {
    const former = served.collection;
    served.collection = read();
    for (const server of servers) exchange(server, former, served.collection);
  }

  function reloadOnChange(): void {
    try {
      reload();
    } catch (error) {
      for (const server of servers)
        server.reportError('Skills were changed and are wrong; the former are served', error);
    }
  }

  function look(folder: string): void {
    const failed = (error: unknown): void => {
      for (const server of servers) server.reportError(`Changes of skills in "${folder}" are not noticed`, error);
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
      server.resources.add(...[...served.collection.files.values()].map((file) => toResource(file, served.collection)));
      if (watch && typeof from === 'string' && stop === undefined) look(from);
    },
    reload,
    close() {
      stop?.();
      stop = undefined;
    },
  };
}

/** Offers what is new in place of what was, and tells whoever watches a file that it reads differently now. */
function exchange(server: Server, former: SkillCollection, latest: SkillCollection): void {
  const isSame = ({ uri, bytes }: KeptFile, there: SkillCollection): boolean => {
    const other = there.files.get(uri);
    return other !== undefined && sameBytes(bytes, other.bytes);
  };
  const gone = [...former.files.values()].filter((file) => !isSame(file, latest));
  const come = [...latest.files.values()].filter((file) => !isSame(file, former));
  for (const { uri } of gone) server.resources.remove(uri);
  if (come.length > 0) server.resources.add(...come.map((file) => toResource(file, latest)));
  for (const { uri } of gone) server.resources.updated(uri);
}

function toResource(file: KeptFile, { skills: all }: SkillCollection): Resource {
  const { uri, path, bytes, text, mimeType } = file;
  const skill = all.find((each) => each.uri === uri);
  const about = skill?.frontmatter ?? { name: path.slice(path.lastIndexOf('/') + 1) };
  const { name, description } = about as { name: string; description?: string };
  const options = { name, ...(description !== undefined && { description }), mimeType, size: bytes.byteLength };
  return resource(uri, options, () => text ?? bytes);
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.byteLength === other.byteLength && one.every((byte, index) => byte === other[index]);
}
