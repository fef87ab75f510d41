import type { StoredFile, StoredSkill } from './skill-collection.ts';
import { computeDigest } from './skill-files.ts';
import type { Skill, SkillFile } from './skill.ts';

/** Caches the list entries of skills. Digests are computed lazily, once. */
export class ManifestCache {
  readonly #entries = new WeakMap<StoredSkill, Promise<Skill>>();
  readonly #files = new WeakMap<StoredFile, Promise<SkillFile>>();

  /** Reuses the digest of another file with the same content. */
  reuse(file: StoredFile, former: StoredFile): void {
    const known = this.#files.get(former);
    if (known !== undefined) this.#files.set(file, known);
  }

  get(skill: StoredSkill): Promise<Skill> {
    const known = this.#entries.get(skill) ?? this.#createEntry(skill);
    this.#entries.set(skill, known);
    return known;
  }

  async #createEntry({ uri, frontmatter, files }: StoredSkill): Promise<Skill> {
    return { uri, frontmatter, resources: await Promise.all(files.map((file) => this.#describe(file))) };
  }

  #describe(file: StoredFile): Promise<SkillFile> {
    const known = this.#files.get(file) ?? describeFile(file);
    this.#files.set(file, known);
    return known;
  }
}

async function describeFile({ uri, bytes }: StoredFile): Promise<SkillFile> {
  return { uri, digest: await computeDigest(bytes), size: bytes.byteLength };
}
