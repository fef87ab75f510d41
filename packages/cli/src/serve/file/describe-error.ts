import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { userLocation } from '../../util/user-frames.ts';

/** Says why a module could not be loaded, with the line in it; where its syntax is wrong, the error leaves that out. */
export async function describeError(error: unknown, files: Iterable<string>): Promise<string> {
  if (!(error instanceof SyntaxError)) return error instanceof Error ? addLocation(error) : String(error);
  for (const file of files) {
    const place = await syntaxErrorLocation(file);
    if (place !== undefined) return `${error.message} (${place})`;
  }
  return error.message;
}

/** The kind of error says more than its message alone, where it is one of the language's own. */
function addLocation({ name, message, stack = '' }: Error): string {
  const place = userLocation(stack);
  const words = name === 'Error' || message.startsWith(name) ? message : `${name}: ${message}`;
  return place === undefined ? message : `${words} (${place})`;
}

async function syntaxErrorLocation(file: string): Promise<string | undefined> {
  try {
    await promisify(execFile)(process.execPath, ['--check', file]);
    return undefined;
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const [place = ''] = stderr.split('\n', 1);
    return /:\d+$/.test(place) ? place.replace(/^file:\/\//, '') : undefined;
  }
}
