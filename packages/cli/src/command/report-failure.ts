import { resolve, sep } from 'node:path';
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
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined);
  const failure = toFailure(error, own, name);
  write(own.includes('--json') ? `${stringifyDeep(failure)}\n` : failure.toText());
  return failure.exitCode;
}

function toFailure(error: unknown, args: readonly string[], name: string | undefined): Failure {
  if (error instanceof Failure) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError) {
    return new Failure('usage', message, { hint: `Try "ccmcp ${name === undefined ? '' : `${name} `}--help".` });
  }
  const missing = missingFile(error);
  if (missing === undefined) return new Failure('unexpected', message, { cause: error });
  // Node reports the folder if that is missing.
  const isNamed = args.some((word) => `${resolve(word)}${sep}`.startsWith(`${resolve(missing)}${sep}`));
  return new Failure(isNamed ? 'usage' : 'unexpected', `There is no file or folder ${missing}`, { cause: error });
}

/** The path of the file that Node did not find. */
function missingFile(error: unknown): string | undefined {
  const { code, path } = Object(error) as NodeJS.ErrnoException;
  return code === 'ENOENT' && typeof path === 'string' ? path : undefined;
}
