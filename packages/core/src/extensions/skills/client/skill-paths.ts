/** The path of a file within its skill, whose address begins with that of the folder; undefined for what leads elsewhere. */
export function pathWithin(folder: string, uri: string): string | undefined {
  if (!uri.startsWith(folder)) return undefined;
  const parts = uri.slice(folder.length).split('/').map(decoded);
  return parts.every(isName) ? parts.join('/') : undefined;
}

/** True where no part of an address would lead somewhere else, were it taken for a path: plain or encoded. */
export function isStraight(address: string): boolean {
  return address.split('/').map(decoded).every(isName);
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function isName(part: string | undefined): part is string {
  return part !== undefined && part !== '' && part !== '.' && part !== '..' && !/[/\\\p{Cc}]/u.test(part);
}
