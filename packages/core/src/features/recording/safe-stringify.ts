/** Deeper than any readable value. */
const maxDepth = 100;

/** Serializes untrusted values. Truncates nesting that overflows the stack. */
export function safeStringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(truncateDepth(value, maxDepth));
  }
}

function truncateDepth(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '[nested too deeply to be shown]';
  if (Array.isArray(value)) return value.map((each) => truncateDepth(each, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, truncateDepth(each, levels - 1)]));
}
