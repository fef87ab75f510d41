/** An error with a file. The message is for the model and only contains the path it gave. */
export class FileError extends Error {
  override name = 'FileError';
}

/** Creates a FileError with the caller's path, truncated. */
export function fileError(problem: string, path: string, options?: ErrorOptions): FileError {
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return new FileError(`${problem}: ${printable(shown)}`, options);
}

const problems: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'File not found'],
  ['EACCES', 'Permission denied'],
  ['EPERM', 'Permission denied'],
  ['ERR_ACCESS_DENIED', 'Permission denied (this process was started without it)'],
  ['EROFS', 'Permission denied (the file system is read-only)'],
  ['EISDIR', 'Is a directory'],
  ['EEXIST', 'Something is already there'],
  ['EXDEV', 'On another file system, where it can not be moved to'],
  ['EINVAL', 'A folder can not be moved into itself'],
  ['EMFILE', 'Too many folders deep'],
  ['ENAMETOOLONG', 'A name in the path is too long'],
  ['ENOSPC', 'No space left to write'],
  ['EDQUOT', 'No space left to write'],
  ['ELOOP', 'The path changed while it was used; try again'],
  ['ENOTDIR', 'The path changed while it was used; try again'],
  ['ESTALE', 'The path changed while it was used; try again'],
]);

/** Converts a system error. Its message contains real paths, so only its code is used. */
export function explainFileError(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'code' in error && ('syscall' in error || isAccessDenied(error)))) return error;
  return fileError(problems.get(error.code) ?? `Could not be used (${String(error.code)})`, path, { cause: error });
}

/** Whether Node's permission model denied access. */
export function isAccessDenied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED';
}

const named: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Escapes control characters, line ends and bidi controls. */
export function printable(text: string): string {
  // Lazy: expressions with \p are slow to compile, and the server must start fast.
  const controls = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
  return text.replace(controls, (character) => {
    const hex = character.charCodeAt(0).toString(16);
    return named.get(character) ?? (hex.length > 2 ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`);
  });
}
