/** Deeper than anything that is meant to be read. */
const deepest = 100;

/** JSON of what a stranger sent. Where it is nested so deeply that it can't be written, it is written down to some depth. */
export function written(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(levelled(value, deepest));
  }
}

function levelled(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '[nested too deeply to be shown]';
  if (Array.isArray(value)) return value.map((each) => levelled(each, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, levelled(each, levels - 1)]));
}
