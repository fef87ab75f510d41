/** What was wrong with a skill: it is not as the server's own list tells, or the list can't be used. */
export type SkillProblem = 'entry' | 'size' | 'digest' | 'frontmatter' | 'unlisted' | 'unreadable';

/** A skill that must not be used. The way on is to get its entry again, and to ask the user again. */
export class SkillError extends Error {
  override name = 'SkillError';

  constructor(
    message: string,
    readonly problem: SkillProblem,
    /** The address of what is wrong. */
    readonly uri: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
