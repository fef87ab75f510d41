/** The type of the text, as Prometheus names it. */
export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** Metrics in the text format of Prometheus. */
export function metricsText(families: readonly MetricFamily[]): string {
  const lines: string[] = [];
  for (const { name, help, type, samples } of families) {
    lines.push(`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`);
    for (const sample of samples) {
      if (type === 'histogram') writeHistogram(lines, name, sample);
      else lines.push(`${name}${labelText(sample.labels)} ${numberText(sample.value)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Buckets are cumulative in this format. */
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
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

/** The format has three escapes; other control characters become U+FFFD, so that they can't steer a terminal. */
function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}

function escapeHelp(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replace(/\p{Cc}/gu, '\uFFFD');
}

/** A metric with its samples by label. Can be sent between processes as JSON. */
export interface MetricFamily {
  /** Such as `ccmcp_requests_total`: letters, digits and `_`. */
  readonly name: string;
  /** A description, in a sentence. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly MetricSample[];
  /**
   * How to aggregate the workers of one address: by sum, by maximum, or separately, with a label `worker`. Default:
   * `sum`.
   */
  readonly aggregation?: 'sum' | 'max' | 'separate';
}

/** One value. */
export interface MetricSample {
  readonly labels?: Readonly<Record<string, string>>;
  /** The sum of a histogram. */
  readonly value: number;
  /** The upper bounds of a histogram's buckets. */
  readonly bounds?: readonly number[];
  /** The count of each bucket, not cumulative; the last one is for values above all bounds. */
  readonly counts?: readonly number[];
}
