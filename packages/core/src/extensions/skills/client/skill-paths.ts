/** The path of a file within its skill, whose address begins with that of the folder; undefined for what leads elsewhere. */
export function relativePath(folder: string, uri: string): string | undefined {
  if (!uri.startsWith(folder)) return undefined;
  const parts = uri.slice(folder.length).split('/').map(decodePart);
  return parts.every(isSafeName) ? parts.join('/') : undefined;
}

/** True where no part of an address would lead somewhere else, were it taken for a path: plain or encoded. */
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
