/** One value of a metric, with its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Metrics by name, as they were read at one time. */
export type Reading = ReadonlyMap<string, readonly Sample[]>;

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+-?\d+)?$/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Parses the text format of Prometheus. Malformed lines are skipped. */
export function parseMetrics(text: string): Reading {
  const reading = new Map<string, Sample[]>();
  for (const each of text.split('\n')) {
    const [, name, labels = '', value] = line.exec(each.trim()) ?? [];
    if (name === undefined || value === undefined) continue;
    const samples = reading.get(name) ?? [];
    samples.push({ labels: labelsIn(labels), value: numberOf(value) });
    reading.set(name, samples);
  }
  return reading;
}

function labelsIn(text: string): Record<string, string> {
  const pairs = Array.from(text.matchAll(label), ([, name = '', value = '']) => [name, unescaped(value)] as const);
  return Object.fromEntries(pairs);
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign));
}

function numberOf(text: string): number {
  if (/^\+?inf$/i.test(text)) return Number.POSITIVE_INFINITY;
  return /^-inf$/i.test(text) ? Number.NEGATIVE_INFINITY : Number(text);
}
