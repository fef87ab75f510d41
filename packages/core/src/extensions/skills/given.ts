import { fileURLToPath } from 'node:url';
import type { SkillFiles } from './skill-files.ts';

/** Takes what skills are read from: the path of a folder, or files. Throws a `TypeError` that says what to write instead. */
export function skillSource(from: string | URL | SkillFiles): string | SkillFiles {
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
