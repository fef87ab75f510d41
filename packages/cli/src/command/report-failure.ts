import { Failure } from './failure.ts';
import { Misuse } from './usage-error.ts';
import { jsonText, tell } from '../terminal/print.ts';

/** The words of a command, and the name by which its help is asked for. */
export interface Told {
  readonly args: readonly string[];
  readonly name?: string;
}

/** Tells why a command failed, in words or, where its words have `--json`, as one JSON object. Gives the exit code. */
export function tellFailure(error: unknown, { args, name }: Told, write: (text: string) => void = tell): number {
  const failure = failureFrom(error, name);
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined);
  write(own.includes('--json') ? `${jsonText(failure)}\n` : failure.toText());
  return failure.exitCode;
}

function failureFrom(error: unknown, name: string | undefined): Failure {
  if (error instanceof Failure) return error;
  const message = error instanceof Error ? messageOf(error) : String(error);
  if (!(error instanceof Misuse)) return new Failure('unexpected', message, { cause: error });
  return new Failure('usage', message, { hint: `Try "ccmcp ${name === undefined ? '' : `${name} `}--help".` });
}

/** What Node says of a file that is not there, in words. */
function messageOf({ message, code, path }: NodeJS.ErrnoException): string {
  return code === 'ENOENT' && typeof path === 'string' ? `There is no file or folder ${path}` : message;
}
