/** The path of a file relative to its skill's folder; undefined if it lies outside. */
export function relativePath(folder: string, uri: string): string | undefined {
  if (!uri.startsWith(folder)) return undefined;
  const parts = uri.slice(folder.length).split('/').map(decodePart);
  return parts.every(isSafeName) ? parts.join('/') : undefined;
}

/** True if no segment, plain or encoded, would lead elsewhere as a path. */
export function isSafePath(address: string): boolean {
  return address.split('/').map(decodePart).every(isSafeName);
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function isSafeName(part: string | undefined): part is string {
  return part !== undefined && part !== '' && part !== '.' && part !== '..' && !/[/\\\p{Cc}]/u.test(part);
}
