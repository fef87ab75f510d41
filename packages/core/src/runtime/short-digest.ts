import { limits } from '../limits.ts';
import { builtIn } from './kind.ts';

const length = 24;

/** Sessions have many requests, and a digest takes longer than what else is done for one. */
const latest = new Map<string, string>();
const most = limits.server.digests.value;

/**
 * The beginning of a text's SHA-256 digest, in hexadecimal: tells texts apart and gives nothing of them away.
 * Undefined where nothing makes digests without being waited for: outside of Node, and in Node before 20.16.
 */
export function shortDigest(text: string): string | undefined {
  const known = latest.get(text);
  if (known !== undefined) return known;
  const digest = builtIn('node:crypto')?.createHash('sha256').update(text).digest('hex').slice(0, length);
  if (digest === undefined) return undefined;
  if (latest.size >= most) latest.clear();
  latest.set(text, digest);
  return digest;
}
