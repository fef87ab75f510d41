/** A number for people: 1,200. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** What is shown of some: `rows 1–40`. */
export function range(noun: string, from: number, to: number): string {
  if (from === to) return `none of the ${noun}`;
  if (to - from === 1) return `${noun.slice(0, -1)} ${count(to)}`;
  return `${noun} ${count(from + 1)}–${count(to)}`;
}
