import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Says why a module could not be loaded; where its syntax is wrong, with the line, which the error itself leaves out. */
export async function describeError(error: unknown, files: Iterable<string>): Promise<string> {
  if (!(error instanceof SyntaxError)) return error instanceof Error ? error.message : String(error);
  for (const file of files) {
    const place = await placeOfMistake(file);
    if (place !== undefined) return `${error.message} (${place})`;
  }
  return error.message;
}

async function placeOfMistake(file: string): Promise<string | undefined> {
  try {
    await promisify(execFile)(process.execPath, ['--check', file]);
    return undefined;
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const [place = ''] = stderr.split('\n', 1);
    return /:\d+$/.test(place) ? place.replace(/^file:\/\//, '') : undefined;
  }
}
