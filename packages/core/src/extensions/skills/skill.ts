/** The name by which both sides declare that they have skills. */
export const skillsId = 'io.modelcontextprotocol/skills';

/** A file of a skill: where it can be read, and what must be there. */
export interface SkillFile {
  readonly uri: string;
  /** `sha256:` and the digest of its bytes, in hexadecimal digits. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
}

/** What stands at the head of a `SKILL.md`, every field as it is there. */
export interface Frontmatter {
  readonly name: string;
  readonly description: string;
  readonly [field: string]: unknown;
}

/** Instructions that a server ships with itself, as its list tells of them. */
export interface Skill {
  /** The address of its `SKILL.md`. */
  readonly uri: string;
  readonly frontmatter: Frontmatter;
  /** All of its files, `SKILL.md` among them; `dynamic` where they are made when they are read. */
  readonly resources: readonly SkillFile[] | 'dynamic';
}

/** The name of the file that makes a folder a skill. */
export const skillFileName = 'SKILL.md';
