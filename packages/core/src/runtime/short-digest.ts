import { builtIn } from './kind.ts';

const length = 24;

/** Caches digests: a session has many requests, and hashing would dominate the cost of logging one. */
const latest = new Map<string, string>();
/** The maximum cached digests. */
const most = 1000;

/**
 * The first hexadecimal digits of a text's SHA-256 digest: identifies a secret without revealing it. Undefined where
 * there is no synchronous hashing: outside of Node, and in Node before 20.16.
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
