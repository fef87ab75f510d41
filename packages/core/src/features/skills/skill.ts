/** The id of the extension. */
export const skillsId = 'io.modelcontextprotocol/skills';

/** A file of a skill, with its expected content. */
export interface SkillFile {
  readonly uri: string;
  /** `sha256:` and the hexadecimal digest. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
}

/** The frontmatter of a `SKILL.md`, unchanged. */
export interface Frontmatter {
  readonly name: string;
  readonly description: string;
  readonly [field: string]: unknown;
}

/** A skill as a server lists it. */
export interface Skill {
  /** The URI of its `SKILL.md`. */
  readonly uri: string;
  readonly frontmatter: Frontmatter;
  /** All of its files, including `SKILL.md`; `dynamic` if they are generated. */
  readonly resources: readonly SkillFile[] | 'dynamic';
}

/** The file that makes a folder a skill. */
export const skillFileName = 'SKILL.md';

/** The maximum files of a skill. */
export const maxFiles = 512;

/** The maximum length of all files of a skill, in bytes. */
export const maxBytes = 16 * 1024 * 1024;
