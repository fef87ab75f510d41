/** Shortens a description for a model: no HTML, no links and quotations of Markdown, one line, whole sentences if they are short enough. */
export function briefText(text: string, maxLength: number): string {
  // Bounded first, since a document may hold texts of any length.
  const plain = text
    .slice(0, 4 * maxLength)
    .replace(/^[ \t]*>[ \t]?(?:\[![A-Z]{1,20}\])?/gm, '')
    .replace(/<\/?[A-Za-z][^<>]{0,200}>/g, ' ')
    .replace(/\[([^[\]]{1,200})\]\([^()\s]{1,500}\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  if (plain.length <= maxLength) return plain;
  const cut = plain.slice(0, maxLength);
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('? '), cut.lastIndexOf('! '));
  if (end > maxLength / 3) return cut.slice(0, end + 1);
  const space = cut.lastIndexOf(' ', maxLength - 1);
  return `${cut.slice(0, space > maxLength / 2 ? space : maxLength - 1)}…`;
}
