import * as path from 'node:path';

/** Why a file or folder can't be read, with a hint if its path is relative to the wrong folder. */
export function describeReadError(given: string | URL, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT') return message;
  if (typeof given !== 'string' || path.isAbsolute(given)) return `there is no "${String(given)}"`;
  const own = `new URL(${JSON.stringify(given)}, import.meta.url)`;
  return `there is no "${path.resolve(given)}". A path counts from the folder in which the server is started; ${own} counts from your own file`;
}
