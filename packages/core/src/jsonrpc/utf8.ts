import { type Buffer, isUtf8 } from 'node:buffer';

/** The text that bytes stand for; undefined where they are not UTF-8. */
export function fromUtf8(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  // Decoding marks bad bytes with U+FFFD, which is rarely there, so that good input needs no second pass.
  return text.includes('\uFFFD') && !isUtf8(bytes) ? undefined : text;
}
