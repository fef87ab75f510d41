import type { QuirkFix } from './client-quirks.ts';

/** Names of tools, and what a client calls them. */
export interface PortableNames {
  toPortable(name: string): string;
  /** The name of the tool that a client means; the same if it is none that was changed. */
  toOriginal(name: string): string;
}

/**
 * Gives tools names that a client accepts. The same tools always have the same names; a tool whose name is changed never takes
 * that of another.
 */
export function createPortableNames(names: readonly string[], fixes: readonly QuirkFix[]): PortableNames {
  const originals = new Map<string, string>();
  const portable = new Map<string, string>();
  const existing = new Set(names);
  const counts = new Map<string, number>();
  for (const name of names) {
    const safe = sanitize(name, fixes);
    counts.set(safe, (counts.get(safe) ?? 0) + 1);
  }
  for (const name of names) {
    const safe = sanitize(name, fixes);
    if (safe === name) continue;
    const given = existing.has(safe) || counts.get(safe) !== 1 ? withHash(name, fixes) : safe;
    if (existing.has(given) || originals.has(given)) continue;
    originals.set(given, name);
    portable.set(name, given);
  }
  return {
    toPortable: (name) => portable.get(name) ?? name,
    toOriginal: (name) => (existing.has(name) ? name : (originals.get(name) ?? name)),
  };
}

function sanitize(name: string, fixes: readonly QuirkFix[]): string {
  return fixes.reduce((safe, { nameCharacters, nameLength }) => {
    const clean = nameCharacters === undefined ? safe : safe.replaceAll(new RegExp(`[^${nameCharacters}]`, 'g'), '_');
    return nameLength === undefined || clean.length <= nameLength ? clean : cut(clean, name, nameLength);
  }, name);
}

function withHash(name: string, fixes: readonly QuirkFix[]): string {
  const max = Math.min(128, ...fixes.map(({ nameLength = 128 }) => nameLength));
  return cut(sanitize(name, fixes), name, max);
}

/** A beginning of the name, and a hash of all of it. */
function cut(safe: string, name: string, max: number): string {
  return `${safe.slice(0, max - 9)}_${hash(name)}`;
}

/** FNV-1a: short, and the same everywhere. It protects nothing. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}
