import { closestName } from './edit-distance.ts';

/** Throws a `TypeError` for an unknown option, since a misspelt one would be ignored silently. */
export function assertKnownOptions(taker: string, options: object, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${taker} takes its options as an object`);
  const stray = Object.keys(options).find((name) => !names.includes(name));
  if (stray === undefined) return;
  const meant = closestName(stray, names) ?? names.find((name) => beginAlike(name.toLowerCase(), stray.toLowerCase()));
  const remedy = meant === undefined ? `it has ${names.join(', ')}` : `did you mean "${meant}"?`;
  throw new TypeError(`${taker} has no option ${JSON.stringify(stray)}: ${remedy}`);
}

function beginAlike(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}
