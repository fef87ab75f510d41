/** The text that a chunk of Node's stands for; undefined where that is not UTF-8. */
export function fromUtf8(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  // Decoding marks bad bytes with U+FFFD, which is rarely there, so that good input needs no second pass.
  return text.includes('\uFFFD') ? textOf(bytes) : text;
}

/** The text that bytes stand for, in any runtime; undefined where they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
