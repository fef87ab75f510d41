import { statSync } from 'node:fs';

/** Whether a word names a file that can be served: JavaScript or TypeScript. */
export function isServerFile(word: string): boolean {
  return /\.[cm]?[jt]s$/i.test(word);
}

/** Whether a word on the command line means a file, existing or not. */
export function looksLikeFile(word: string): boolean {
  return /[/\\]/.test(word) || isServerFile(word);
}

/** Why a file can't be served, as a sentence; `word` is its name on the command line. */
export function fileProblem(word: string, path: string = word): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return `${word} is a folder: name the file of the server in it`;
  if (!found?.isFile()) return `there is no file ${word}`;
  // A file without an extension may be anything; Node decides.
  if (isServerFile(path) || !/[^/\\]\.[^./\\]+$/.test(path)) return undefined;
  return `${word} is no JavaScript or TypeScript: say what runs it, as in "-- python server.py"`;
}
