/** A listed skill from an untrusted server. */
export interface ListedSkill {
  /** URI of its `SKILL.md`. */
  readonly uri: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** Its files; absent if they are generated on read. */
  readonly files?: readonly { readonly uri: string; readonly bytes: number; readonly digest: string }[];
}

/** Listed skills, and rejected entries. */
export interface SkillList {
  readonly skills: readonly ListedSkill[];
  readonly refused: readonly { readonly uri: string; readonly says: string }[];
}

/** A read skill, with the verification of its files. */
export interface ReadSkill {
  /** Body of `SKILL.md`; absent if it must not be used. */
  readonly instructions?: string;
  /** `problem` is absent if size and digest match the list. */
  readonly files: readonly { readonly uri: string; readonly problem?: string }[];
}
