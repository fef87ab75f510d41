import type { MetricFamily, MetricSample } from './family.ts';

/** The type of the text, as Prometheus names it. */
export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** Metrics in the text format of Prometheus. */
export function metricsText(families: readonly MetricFamily[]): string {
  const lines: string[] = [];
  for (const { name, help, type, samples } of families) {
    lines.push(`# HELP ${name} ${escapedHelp(help)}`, `# TYPE ${name} ${type}`);
    for (const sample of samples) {
      if (type === 'histogram') writeHistogram(lines, name, sample);
      else lines.push(`${name}${labelText(sample.labels)} ${numberText(sample.value)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Buckets hold all that is below their bound, so each has those of the smaller ones in it. */
function writeHistogram(
  lines: string[],
  name: string,
  { labels, value, bounds = [], counts = [] }: MetricSample,
): void {
  let below = 0;
  for (const [index, bound] of [...bounds, Number.POSITIVE_INFINITY].entries()) {
    below += counts[index] ?? 0;
    lines.push(`${name}_bucket${labelText({ ...labels, le: numberText(bound) })} ${below}`);
  }
  lines.push(`${name}_sum${labelText(labels)} ${numberText(value)}`, `${name}_count${labelText(labels)} ${below}`);
}

function labelText(labels: MetricSample['labels'] = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapedLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

/** The format has three escapes and no other; what else would steer a terminal is shown as a sign that stands for it. */
function escapedLabel(text: string): string {
  return escapedHelp(text).replaceAll('"', '\\"');
}

function escapedHelp(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replace(/\p{Cc}/gu, '\uFFFD');
}
