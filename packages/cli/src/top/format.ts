/** A time in seconds, as people read it. */
export function time(seconds: number | undefined): string {
  if (seconds === undefined) return '–';
  if (seconds < 0.001) return `${Math.round(seconds * 1e6)} µs`;
  if (seconds < 1) return `${digits(seconds * 1000)} ms`;
  return seconds < 120 ? `${digits(seconds)} s` : span(seconds);
}

/** A long time: days, hours, minutes. */
export function span(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return `${Math.floor(seconds)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return `${minutes} min`;
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** How often a second. */
export function rate(perSecond: number): string {
  return `${digits(perSecond)}/s`;
}

/** A number of bytes. */
export function bytes(count: number): string {
  return `${digits(count / (1024 * 1024))} MiB`;
}

/** A share of one. */
export function percent(share: number): string {
  return `${digits(share * 100)} %`;
}

/** Three digits are enough to see. */
function digits(value: number): string {
  if (value === 0) return '0';
  if (value < 0.01) return '<0.01';
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
