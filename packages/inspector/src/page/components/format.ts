/** Formats a duration: `4.1 ms`, `1.24 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 10) return `${toTrimmedFixed(ms, 1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${toTrimmedFixed(ms / 1000, 2)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Formats a size in bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${toTrimmedFixed(bytes / 1000, 1)} kB`;
  return `${toTrimmedFixed(bytes / 1_000_000, 1)} MB`;
}

/** Formats a number of tokens; all of them are estimates. */
export function formatTokens(count: number): string {
  return `≈ ${count < 10_000 ? count : `${toTrimmedFixed(count / 1000, 1)}k`} tok`;
}

/** Formats a time of day with milliseconds. */
export function formatTime(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const ms = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`;
}

function toTrimmedFixed(value: number, digits: number): string {
  return value.toFixed(digits).replace(/\.?0+$/, '');
}

/** Formats a number with thousands separators. */
export function formatCount(things: number): string {
  return things.toLocaleString('en', { maximumFractionDigits: 20 });
}

/** Formats the number of entries of a list. */
export function formatEntryCount(things: number): string {
  return things === 0 ? 'none' : things === 1 ? '1 entry' : `${formatCount(things)} entries`;
}
