/** A skill that a server lists. All of it is data of a stranger. */
export interface ListedSkill {
  /** The address of its `SKILL.md`. */
  readonly uri: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** Its files; absent where they are made when they are read. */
  readonly files?: readonly { readonly uri: string; readonly bytes: number; readonly digest: string }[];
}

/** The skills of a server, and why others that it lists are none. */
export interface SkillsOfServer {
  readonly skills: readonly ListedSkill[];
  readonly refused: readonly { readonly uri: string; readonly says: string }[];
}

/** A skill that was read, and of each of its files whether it is what the list tells. */
export interface ReadSkill {
  /** What stands in `SKILL.md` below its head; absent where it must not be used. */
  readonly instructions?: string;
  /** `problem` is absent where the file has the size and digest that the list tells. */
  readonly files: readonly { readonly uri: string; readonly problem?: string }[];
}
