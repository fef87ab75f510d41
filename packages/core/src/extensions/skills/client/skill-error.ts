/** The kind of problem: the skill differs from the server's list, or the entry is invalid. */
export type SkillProblem = 'entry' | 'size' | 'digest' | 'frontmatter' | 'unlisted' | 'unreadable';

/** A skill that must not be used. Get its entry again, and ask the user again. */
export class SkillError extends Error {
  override name = 'SkillError';

  constructor(
    message: string,
    readonly problem: SkillProblem,
    /** The URI with the problem. */
    readonly uri: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
