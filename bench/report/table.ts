import type { MeasureResult, MetricResult, Result, Row } from './result.ts';

/** The whole run as text for a terminal. */
export function tables(result: Result): string {
  const { date, run, machine, versions } = result;
  const head = [
    `${date}, ${run} run, Node ${machine.node}, ${machine.platform}, ${machine.cores} cores (${machine.cpu})`,
    Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
    'Medians; ± half of the distance between the quartiles; × the floor, round by round; [× the best peer].',
  ].join('\n');
  return [head, ...result.measures.filter(hasRows).map(measureTable), targetTable(result)].join('\n\n');
}

function hasRows({ metrics }: MeasureResult): boolean {
  return metrics.some(({ rows }) => rows.length > 0);
}

function measureTable({ title, metrics }: MeasureResult): string {
  const subjects = [...new Set(metrics.flatMap(({ rows }) => rows.map(({ subject }) => subject)))];
  const rows = subjects.map((subject) => [subject, ...metrics.map((metric) => cell(metric, subject))]);
  return [title, ...align([['', ...metrics.map((metric) => metric.title)], ...rows])].join('\n');
}

function cell({ rows, digits }: MetricResult, subject: string): string {
  const row = rows.find((each) => each.subject === subject);
  if (row === undefined || Number.isNaN(row.median)) return '–';
  const times = row.timesFloor === undefined ? '' : `  ×${row.timesFloor.toFixed(2)}`;
  const best = row.timesBestPeer === undefined ? '' : ` [${row.timesBestPeer.toFixed(2)}]`;
  return `${grouped(row.median, digits)}${spread(row)}${times}${best}`;
}

function spread({ low, high, median }: Row): string {
  const half = Math.round(((high - low) / 2 / Math.abs(median)) * 100);
  return half > 0 ? ` ±${half}%` : '';
}

function targetTable({ targets }: Result): string {
  const rows = targets.map(({ title, bound, target, value, met }) => [
    title.replaceAll('`', ''),
    `${bound === 'at least' ? '≥' : '≤'} ${target}`,
    value.toFixed(2),
    met ? 'met' : 'MISSED',
  ]);
  return ['Targets', ...align([['', 'target', 'reached', ''], ...rows])].join('\n');
}

function align(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((text, column) =>
        column === 0 ? text.padEnd(widths[column] as number) : text.padStart(widths[column] as number),
      )
      .join('   ')
      .trimEnd(),
  );
}

function grouped(value: number, digits: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
