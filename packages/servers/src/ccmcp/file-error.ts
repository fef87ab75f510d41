/** A file can't be used as asked. The message is for the model: what was wrong with the path it gave, and no other path. */
export class FileError extends Error {
  override name = 'FileError';
}

/** A FileError about a path as the caller gave it, cut to a length that can be shown. */
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

/** What a failed system call means for the caller. Its own message names paths of ours, so only its code is told. */
export function explainFileError(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'code' in error && ('syscall' in error || isWithheld(error)))) return error;
  return fileError(problems.get(error.code) ?? `Could not be used (${String(error.code)})`, path, { cause: error });
}

/** Whether Node refused something because of its permission model. */
export function isWithheld(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED';
}

const named: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Text that stays on its line: control characters, line ends and changes of direction are shown as escapes. */
export function printable(text: string): string {
  // Made here, when it is needed: an expression with \p takes time, and the server must start.
  const controls = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
  return text.replace(controls, (character) => {
    const hex = character.charCodeAt(0).toString(16);
    return named.get(character) ?? (hex.length > 2 ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`);
  });
}
