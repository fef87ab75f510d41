import { resolve, sep } from 'node:path';
import { Failure } from './client/failure.ts';
import { Misuse } from './misuse.ts';
import { jsonText, tell } from './print.ts';

/** The words of a command, and the name by which its help is asked for. */
export interface Told {
  readonly args: readonly string[];
  readonly name?: string;
}

/** Tells why a command failed, in words or, where its words have `--json`, as one JSON object. Gives the exit code. */
export function tellFailure(error: unknown, { args, name }: Told, write: (text: string) => void = tell): number {
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined);
  const failure = failureFrom(error, own, name);
  write(own.includes('--json') ? `${jsonText(failure)}\n` : failure.toText());
  return failure.exitCode;
}

function failureFrom(error: unknown, args: readonly string[], name: string | undefined): Failure {
  if (error instanceof Failure) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Misuse) {
    return new Failure('usage', message, { hint: `Try "ccmcp ${name === undefined ? '' : `${name} `}--help".` });
  }
  const missing = missingFile(error);
  if (missing === undefined) return new Failure('unexpected', message, { cause: error });
  // Where its folder is missing, that is what Node names.
  const isNamed = args.some((word) => `${resolve(word)}${sep}`.startsWith(`${resolve(missing)}${sep}`));
  return new Failure(isNamed ? 'usage' : 'unexpected', `There is no file or folder ${missing}`, { cause: error });
}

/** The path of a file that Node did not find. */
function missingFile(error: unknown): string | undefined {
  const { code, path } = Object(error) as NodeJS.ErrnoException;
  return code === 'ENOENT' && typeof path === 'string' ? path : undefined;
}
