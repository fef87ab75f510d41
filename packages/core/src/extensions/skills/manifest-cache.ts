import type { KeptFile, KeptSkill } from './skill-collection.ts';
import { digestOf } from './skill-files.ts';
import type { Skill, SkillFile } from './skill.ts';

/** The entries of skills in lists. Digests are made when first asked for, and once. */
export class Manifests {
  readonly #entries = new WeakMap<KeptSkill, Promise<Skill>>();
  readonly #files = new WeakMap<KeptFile, Promise<SkillFile>>();

  /** Knows of a file what it knows of another with the same contents. */
  adopt(file: KeptFile, former: KeptFile): void {
    const known = this.#files.get(former);
    if (known !== undefined) this.#files.set(file, known);
  }

  of(skill: KeptSkill): Promise<Skill> {
    const known = this.#entries.get(skill) ?? this.#entryOf(skill);
    this.#entries.set(skill, known);
    return known;
  }

  async #entryOf({ uri, frontmatter, files }: KeptSkill): Promise<Skill> {
    return { uri, frontmatter, resources: await Promise.all(files.map((file) => this.#fileOf(file))) };
  }

  #fileOf(file: KeptFile): Promise<SkillFile> {
    const known = this.#files.get(file) ?? digested(file);
    this.#files.set(file, known);
    return known;
  }
}

async function digested({ uri, bytes }: KeptFile): Promise<SkillFile> {
  return { uri, digest: await digestOf(bytes), size: bytes.byteLength };
}
