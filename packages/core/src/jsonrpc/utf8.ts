/** Decodes a Node buffer; undefined if it is not UTF-8. */
export function fromUtf8(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  // Invalid bytes become U+FFFD. Only texts that contain it need the strict second pass.
  return text.includes('\uFFFD') ? textOf(bytes) : text;
}

/** Decodes bytes in any runtime; undefined if they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
