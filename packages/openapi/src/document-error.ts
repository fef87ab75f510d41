/** An error in a document, or in what it leads to. */
export class DocumentError extends Error {
  override name = 'DocumentError';
}

/** A text of a document as it appears in an error: short, and as one line. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
