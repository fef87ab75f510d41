const maxLength = 40;
const maxCompared = 200;

/** The most similar of `names`, if one is similar enough. */
export function closestName(name: string, names: readonly string[]): string | undefined {
  if (name.length > maxLength) return undefined;
  const ranked = names
    .slice(0, maxCompared)
    .filter((candidate) => candidate.length <= maxLength)
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.min(2, Math.floor(name.length / 2)) ? best.candidate : undefined;
}

/** The Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
