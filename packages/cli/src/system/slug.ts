/**
 * Converts a text to a name that programs and clients accept: lowercase letters, digits and single hyphens, beginning
 * with a letter. Empty if nothing is left.
 */
export function slug(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
}
