/** Throws a `TypeError` for an unknown option, since a misspelt one would be ignored silently. */
export function assertKnownOptions(owner: string, options: object, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${owner} takes its options as an object`);
  const stray = Object.keys(options).find((name) => !names.includes(name));
  if (stray === undefined) return;
  const meant = closestName(stray, names) ?? names.find((name) => beginAlike(name.toLowerCase(), stray.toLowerCase()));
  const remedy = meant === undefined ? `it has ${names.join(', ')}` : `did you mean "${meant}"?`;
  throw new TypeError(`${owner} has no option ${JSON.stringify(stray)}: ${remedy}`);
}

function beginAlike(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

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
