import { loadedBy, type Result, type Row } from './result.ts';

interface Panel {
  readonly title: string;
  readonly note: string;
  readonly measure: string;
  readonly metric: string;
  label(row: Row): string;
}

const formatInteger = ({ median }: Row): string => median.toFixed(0);
const formatThousands = ({ median }: Row): string => `${(median / 1000).toFixed(median < 10_000 ? 1 : 0)}k`;

const panels: readonly Panel[] = [
  panel('Start-up', 'spawn to first answer, ms: shorter is better', ['start', 'ms'], formatInteger),
  panel('Memory', 'resident after initialize, MB: shorter is better', ['start', 'residentMb'], formatInteger),
  panel(
    'stdio',
    'tools/call per second, 64 in flight: longer is better',
    ['stdio handshake', 'perSecond'],
    formatThousands,
  ),
  ...['stateless', 'session', '2026-07-28'].map((mode) =>
    panel(
      `HTTP, ${mode}`,
      'tools/call per second, 50 connections: longer is better',
      [`http ${mode}`, 'perSecond'],
      formatThousands,
    ),
  ),
];

function panel(title: string, note: string, [measure, metric]: [string, string], label: Panel['label']): Panel {
  return { title, note, measure, metric, label };
}

const columns = 2;
const width = 430;
const margin = 24;
const fontSize = 13;
/** The average width of a character in a wide, bold font: the reader's font is unknown. */
const characterWidth = 0.72 * fontSize;
const gap = 8;
const rowHeight = 20;
const headHeight = 48;

/** Plots a run as bars: ours, the peers' and the floor's. */
export function plot(result: Result): string {
  const filled = panels.flatMap((panel) => {
    const rows = rowsOf(result, panel);
    return rows.length === 0 ? [] : [{ panel, rows }];
  });
  const lines = Array.from({ length: Math.ceil(filled.length / columns) }, (_, line) =>
    filled.slice(line * columns, (line + 1) * columns),
  );
  let top = margin;
  const drawn = lines.flatMap((line) => {
    const own = line.map(({ panel, rows }, column) =>
      draw(panel, rows, { left: margin + column * (width + margin), top }),
    );
    top += headHeight + Math.max(...line.map(({ rows }) => rows.length)) * rowHeight + margin;
    return own;
  });
  const full = columns * (width + margin) + margin;
  const { date, machine, run, facts = {} } = result;
  const loader = facts[loadedBy] === undefined ? '' : `; HTTP loaded by ${facts[loadedBy]}`;
  const caption = `${date}, Node ${machine.node}, ${machine.cores} cores, ${run} run; medians, whiskers from quartile to quartile${loader}`;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${full} ${top + margin}" font-family="system-ui, sans-serif" font-size="${fontSize}">`,
    `<rect width="100%" height="100%" rx="8" fill="#fbfbfa"/>`,
    ...drawn,
    `<text x="${margin}" y="${top}" fill="#777" font-size="11">${escape(caption)}</text>`,
    '</svg>',
  ].join('\n')}\n`;
}

function rowsOf({ measures }: Result, { measure, metric }: Panel): readonly Row[] {
  const rows = measures.find(({ id }) => id === measure)?.metrics.find(({ name }) => name === metric)?.rows ?? [];
  return rows.filter(({ median }) => !Number.isNaN(median));
}

function draw(panel: Panel, rows: readonly Row[], { left, top }: { left: number; top: number }): string {
  const labelWidth = widest(rows.map(({ subject }) => subject)) + gap;
  const valueWidth = widest(rows.map((row) => panel.label(row))) + gap;
  const scale = (width - labelWidth - valueWidth) / Math.max(...rows.map(({ high }) => high));
  const bars = rows.map((row, index) => {
    const y = top + headHeight + index * rowHeight;
    const x = left + labelWidth;
    const middle = y + rowHeight / 2 - 2;
    const end = x + row.median * scale;
    const weight = row.subject.startsWith('ccmcp') ? ' font-weight="600"' : '';
    return [
      `<text x="${(x - gap).toFixed(1)}" y="${middle + 4}" text-anchor="end" fill="#333"${weight}>${escape(row.subject)}</text>`,
      `<rect x="${x.toFixed(1)}" y="${y}" width="${(row.median * scale).toFixed(1)}" height="${rowHeight - 5}" rx="2" fill="${colour(row)}"/>`,
      `<path d="M${(x + row.low * scale).toFixed(1)} ${middle}H${(x + row.high * scale).toFixed(1)}" stroke="#222" stroke-opacity="0.5"/>`,
      `<text x="${(Math.max(end, x + row.high * scale) + gap - 2).toFixed(1)}" y="${middle + 4}" fill="#333"${weight}>${panel.label(row)}</text>`,
    ].join('\n');
  });
  return [
    `<text x="${left}" y="${top + 14}" font-size="15" font-weight="600" fill="#111">${escape(panel.title)}</text>`,
    `<text x="${left}" y="${top + 32}" font-size="11" fill="#777">${escape(panel.note)}</text>`,
    ...bars,
  ].join('\n');
}

/** The width of the longest text. */
function widest(texts: readonly string[]): number {
  return Math.ceil(Math.max(...texts.map(({ length }) => length)) * characterWidth);
}

function colour({ subject }: Row): string {
  if (subject.startsWith('ccmcp')) return '#2563eb';
  return /^(bare|node|idle)/i.test(subject) ? '#c9c9c4' : '#e0a458';
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
