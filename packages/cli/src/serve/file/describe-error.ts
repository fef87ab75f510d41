import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { userLocation } from '../../system/user-frames.ts';

/** Describes why a module failed to load, with the line: syntax errors lack it, so `node --check` finds it. */
export async function describeError(error: unknown, files: Iterable<string>): Promise<string> {
  if (!(error instanceof SyntaxError)) return error instanceof Error ? addLocation(error) : String(error);
  for (const file of files) {
    const place = await syntaxErrorLocation(file);
    if (place !== undefined) return `${error.message} (${place})`;
  }
  return error.message;
}

/** Adds the name of built-in errors, and the location. */
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
