/**
 * A text as a name that programs and clients take: small letters, digits and single hyphens, beginning with a letter. Empty
 * where nothing is left.
 */
export function slug(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
}
