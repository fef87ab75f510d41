import { builtIn } from './kind.ts';

const length = 16;

/**
 * The beginning of a text's SHA-256 digest, in letters that fit everywhere: tells texts apart and gives nothing of them away.
 * Undefined where nothing makes digests without being waited for: outside of Node, and in Node before 20.16.
 */
export function shortDigest(text: string): string | undefined {
  const node = builtIn('node:crypto');
  return node?.createHash('sha256').update(text).digest('base64url').slice(0, length);
}
