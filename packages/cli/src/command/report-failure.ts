import { Failure } from './failure.ts';
import { UsageError } from './usage-error.ts';
import { stringifyDeep, printStderr } from '../terminal/print.ts';

/** The command that failed. */
export interface FailedCommand {
  readonly args: readonly string[];
  /** Its name, for the pointer to its help. */
  readonly name?: string;
}

/** Reports why a command failed: as text or, with `--json`, as one JSON object. Returns the exit code. */
export function reportFailure(
  error: unknown,
  { args, name }: FailedCommand,
  write: (text: string) => void = printStderr,
): number {
  const failure = toFailure(error, name);
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined);
  write(own.includes('--json') ? `${stringifyDeep(failure)}\n` : failure.toText());
  return failure.exitCode;
}

function toFailure(error: unknown, name: string | undefined): Failure {
  if (error instanceof Failure) return error;
  const message = error instanceof Error ? messageOf(error) : String(error);
  if (!(error instanceof UsageError)) return new Failure('unexpected', message, { cause: error });
  return new Failure('usage', message, { hint: `Try "ccmcp ${name === undefined ? '' : `${name} `}--help".` });
}

/** Replaces the message of Node for a missing file. */
function messageOf({ message, code, path }: NodeJS.ErrnoException): string {
  return code === 'ENOENT' && typeof path === 'string' ? `There is no file or folder ${path}` : message;
}
