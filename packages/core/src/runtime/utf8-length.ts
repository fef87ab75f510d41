const encoder = new TextEncoder();

/** The length of a text in bytes of UTF-8. */
export function utf8Length(text: string): number {
  return typeof Buffer === 'undefined' ? encoder.encode(text).length : Buffer.byteLength(text);
}
