import { quote } from './quote.ts';
import type { MeasureResult, MetricResult, Result, Row } from './result.ts';

/** A titled table; the first row names the columns. */
interface Table {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

/** What was run, where, and how to read it. */
function heading({ date, run, machine, versions, facts = {} }: Result): string[] {
  return [
    `${date}, ${run} run, Node ${machine.node}, ${machine.platform}, ${machine.cores} cores (${machine.cpu})`,
    formatRecord(versions, ' '),
    ...(Object.keys(facts).length === 0 ? [] : [formatRecord(facts, ': ')]),
    'Medians; ± half of the distance between the quartiles; × the floor: the median of the quotients of each round, not the quotient of the medians; [× the best peer, likewise].',
  ];
}

function formatRecord(record: Readonly<Record<string, string>>, between: string): string {
  return Object.entries(record)
    .map(([name, value]) => `${name}${between}${value}`)
    .join(', ');
}

/** All tables of a run, the targets first. */
function tablesOf(result: Result): Table[] {
  const measured = result.measures.filter(({ metrics }) => metrics.some(({ rows }) => rows.length > 0));
  return [targetTable(result), ...measured.map(measureTable)];
}

/** Formats a run for a terminal. */
export function terminal(result: Result): string {
  const stripMarkup = (text: string): string => text.replaceAll(/`|\*\*/g, '');
  const tables = tablesOf(result).map(({ title, rows }) => [
    stripMarkup(title),
    ...align(rows.map((row) => row.map(stripMarkup))),
  ]);
  return [heading(result), ...tables].map((lines) => lines.join('\n')).join('\n\n');
}

/** Formats a run as Markdown. */
export function markdown(result: Result): string {
  const tables = tablesOf(result).map((table) => `## ${table.title}\n\n${markdownTable(table)}`);
  return `${['# The last full run', ...heading(result), ...tables].join('\n\n')}\n`;
}

function markdownTable({ rows: [head = [], ...rows] }: Table): string {
  const rule = head.map((_, column) => (column === 0 ? '---' : '--:'));
  return [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Puts the targets of a run into a page. */
export function withTargets(page: string, result: Result): string {
  return replaceBetween(page, 'targets', `${caption(result)}.\n\n${markdownTable(targetTable(result))}`);
}

/** Puts the figures of a run into the README. */
export function withFigures(page: string, result: Result): string {
  return replaceBetween(page, 'figures', `${quote(result)}\n\n${caption(result)}.`);
}

function caption({ date, machine, facts = {} }: Result): string {
  const ran = [date, `Node ${machine.node}`, `${machine.platform}, ${machine.cores} cores (${machine.cpu})`];
  return [...ran, ...(Object.keys(facts).length === 0 ? [] : [formatRecord(facts, ': ')])].join('; ');
}

/** Replaces the text from `<!-- name -->` to `<!-- /name -->`. */
function replaceBetween(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`The page has no place for the ${name}`);
  return `${page.slice(0, from)}${start}${text}\n${page.slice(to)}`;
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
  return `${formatNumber(row.median, digits)}${spread(row)}${times}${best}`;
}

function spread({ low, high, median }: Row): string {
  const half = Math.round(((high - low) / 2 / Math.abs(median)) * 100);
  return half > 0 ? ` ±${half}%` : '';
}

/** Missed targets come first. */
function targetTable({ targets }: Result): Table {
  const sorted = [...targets.filter(({ met }) => !met), ...targets.filter(({ met }) => met)];
  const rows = sorted.map(({ title, bound, target, value, low, high, ofMedians, met }) => [
    title,
    `${bound === 'at least' ? '≥' : '≤'} ${target}`,
    value.toFixed(2),
    low === undefined || high === undefined || low === high ? '' : `${low.toFixed(2)} – ${high.toFixed(2)}`,
    ofMedians?.toFixed(2) ?? '',
    met ? 'met' : '**missed**',
  ]);
  return { title: 'Targets', rows: [['', 'target', 'reached', 'half of the rounds', 'of the medians', ''], ...rows] };
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

function formatNumber(value: number, digits: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
