import { messageLine } from '../terminal/message-line.ts';

/** The exit codes. They are stable, because scripts rely on them. */
export const exitCodes = {
  done: { code: 0, means: 'The command did what it was asked to' },
  unexpected: { code: 1, means: 'Any other error' },
  usage: { code: 2, means: 'The command line is wrong' },
  unreachable: { code: 3, means: 'The server could not be reached or started, or went away' },
  unauthorized: { code: 4, means: 'The server wants other credentials, or any' },
  'tool-error': { code: 5, means: 'The tool ran and reported an error' },
  refused: { code: 6, means: 'The server answered with a protocol error, or with something that cannot be used' },
  'unknown-name': { code: 7, means: 'The server has no tool, resource, prompt or task of this name' },
  timeout: { code: 8, means: 'No answer came in time' },
  cancelled: { code: 9, means: 'The task was cancelled' },
  findings: { code: 10, means: 'The check found errors, or with --strict warnings' },
  wording: { code: 11, means: 'Definitions changed, but only their wording' },
  undecided: { code: 12, means: 'A definition changed, and may break those who rely on it' },
  breaking: { code: 13, means: 'A definition changed in a way that breaks those who rely on it' },
  suspicious: { code: 14, means: 'A definition changed and looks like an attempt to steer a model' },
  'held-back': { code: 15, means: 'The definition is held back, because it differs from the lock' },
  interrupted: { code: 130, means: 'The command was interrupted' },
} as const;

/** Why a command failed: a word that scripts can rely on. */
export type FailureKind = Exclude<keyof typeof exitCodes, 'done'>;

/** A failure with a message for the user, and a hint what to do. */
export class Failure extends Error {
  override name = 'Failure';
  readonly hint: string | undefined;
  readonly data: unknown;
  /** The last lines of the server's stderr. */
  stderrLines: readonly string[] = [];

  constructor(
    readonly kind: FailureKind,
    message: string,
    { hint, data, cause }: { hint?: string | undefined; data?: unknown; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.hint = hint;
    this.data = data;
  }

  get exitCode(): number {
    return exitCodes[this.kind].code;
  }

  /** The failure as the one object that `--json` writes to stderr. */
  toJSON(): object {
    return {
      error: {
        kind: this.kind,
        exitCode: this.exitCode,
        message: this.message,
        ...(this.hint !== undefined && { hint: this.hint }),
        ...(this.data !== undefined && { data: this.data }),
        ...(this.stderrLines.length > 0 && { stderr: this.stderrLines }),
      },
    };
  }

  /** The failure as text for a terminal. */
  toText(): string {
    return `${messageLine(this.message)}${this.hint === undefined ? '' : `${this.hint}\n`}`;
  }
}
