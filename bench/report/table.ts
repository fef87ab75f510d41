import type { MeasureResult, MetricResult, Result, Row } from './result.ts';

/** Rows of texts below a title; the first row names the columns. */
interface Table {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

/** What was run, where, and how to read the figures. */
function heading({ date, run, machine, versions }: Result): string[] {
  return [
    `${date}, ${run} run, Node ${machine.node}, ${machine.platform}, ${machine.cores} cores (${machine.cpu})`,
    Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
    'Medians; ± half of the distance between the quartiles; × the floor, round by round; [× the best peer].',
  ];
}

/** All that a run has found. */
function tablesOf(result: Result): Table[] {
  const measured = result.measures.filter(({ metrics }) => metrics.some(({ rows }) => rows.length > 0));
  return [...measured.map(measureTable), targetTable(result)];
}

/** The whole run as text for a terminal. */
export function terminal(result: Result): string {
  const plain = (text: string): string => text.replaceAll('`', '');
  const tables = tablesOf(result).map(({ title, rows }) => [plain(title), ...align(rows.map((row) => row.map(plain)))]);
  return [heading(result), ...tables].map((lines) => lines.join('\n')).join('\n\n');
}

/** The whole run as a document. */
export function markdown(result: Result): string {
  const tables = tablesOf(result).map(({ title, rows: [head = [], ...rows] }) => {
    const rule = head.map((_, column) => (column === 0 ? '---' : '--:'));
    const lines = [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`);
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  return `${['# The last full run', ...heading(result), ...tables].join('\n\n')}\n`;
}

function measureTable({ title, metrics }: MeasureResult): Table {
  const subjects = [...new Set(metrics.flatMap(({ rows }) => rows.map(({ subject }) => subject)))];
  const rows = subjects.map((subject) => [subject, ...metrics.map((metric) => cell(metric, subject))]);
  return { title, rows: [['', ...metrics.map((metric) => metric.title)], ...rows] };
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

function targetTable({ targets }: Result): Table {
  const rows = targets.map(({ title, bound, target, value, met }) => [
    title,
    `${bound === 'at least' ? '≥' : '≤'} ${target}`,
    value.toFixed(2),
    met ? 'met' : 'missed',
  ]);
  return { title: 'Targets', rows: [['', 'target', 'reached', ''], ...rows] };
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
