/** A command line that a command can't run: exit code 2, with a pointer to `--help`. */
export class UsageError extends Error {}

/** An option that the command does not have. */
export class UnknownOptionError extends UsageError {
  /** The option as typed, such as `--port`, and the word that may be its value. */
  constructor(
    readonly option: string,
    readonly value: string,
  ) {
    super(`There is no option ${option}.`);
  }
}
