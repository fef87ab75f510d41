/** A duration as people read it: `4.1 ms`, `1.24 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 10) return `${trimmed(ms, 1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${trimmed(ms / 1000, 2)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A size as people read it. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${trimmed(bytes / 1000, 1)} kB`;
  return `${trimmed(bytes / 1_000_000, 1)} MB`;
}

/** A count of tokens; all of them are estimates. */
export function tokens(count: number): string {
  return `≈ ${count < 10_000 ? count : `${trimmed(count / 1000, 1)}k`} tok`;
}

/** A time of day with milliseconds. */
export function timeOfDay(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const ms = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`;
}

function trimmed(value: number, digits: number): string {
  return value.toFixed(digits).replace(/\.?0+$/, '');
}

/** A number of things, in groups of three digits. */
export function count(things: number): string {
  return things.toLocaleString('en', { maximumFractionDigits: 20 });
}

/** How many entries a list has. */
export function entriesOf(things: number): string {
  return things === 0 ? 'none' : things === 1 ? '1 entry' : `${count(things)} entries`;
}
