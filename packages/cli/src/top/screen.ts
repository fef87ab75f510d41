import { textWidth, truncate } from '../terminal/columns.ts';
import { toOneLine, type PrintPiece } from '../terminal/print.ts';
import type { Figures, ToolFigures } from './figures.ts';

/** A line of the screen. */
export type ScreenLine = readonly PrintPiece[];

/** Formats the figures as lines that fit the given width. */
export function screenLines(figures: Figures, { url, columns }: { url: string; columns: number }): ScreenLine[] {
  return [
    ...group(title(figures, url), columns, ''),
    ...rows(figures).flatMap(([name, items]) => group(items, columns, name)),
    [],
    ...toolTable(figures.tools, columns),
  ];
}

function title({ server, ready, uptime, workers }: Figures, url: string): PrintPiece[] {
  const state: PrintPiece = ready === false ? { text: 'not ready', style: 'red' } : { text: 'ready', style: 'green' };
  return [
    { text: `${toOneLine(server.name)} ${toOneLine(server.version)}`, style: 'bold' },
    ...(ready === undefined ? [] : [state]),
    ...(uptime === undefined ? [] : [{ text: `up ${span(uptime)}` }]),
    ...(workers === 0 ? [] : [{ text: `${workers} workers` }]),
    { text: toOneLine(url), style: 'dim' as const },
  ];
}

function rows({ requests, errors, refusals, latency, ...rest }: Figures): [string, PrintPiece[]][] {
  const { sessions, streams, memory, processors, loopDelay, store } = rest;
  const share = requests.perSecond === 0 ? 0 : errors.perSecond / requests.perSecond;
  const storeRow: [string, PrintPiece[]][] =
    store === undefined
      ? []
      : [
          [
            'store',
            [bad(store.ready ? 'ready' : 'not ready', !store.ready), { text: `answers in ${time(store.latency)}` }],
          ],
        ];
  return [
    [
      'requests',
      [
        { text: rate(requests.perSecond), style: 'bold' },
        { text: `${requests.running} running` },
        { text: `${requests.queued} queued` },
        bad(`errors ${rate(errors.perSecond)} (${percent(share)})`, errors.perSecond > 0),
        bad(`refused ${rate(refusals.perSecond)}`, refusals.perSecond > 0),
      ],
    ],
    ['latency', [{ text: `p50 ${time(latency.p50)}` }, { text: `p99 ${time(latency.p99)}` }]],
    ['clients', [{ text: `${sessions.active} sessions active` }, { text: `${streams} streams` }]],
    [
      'process',
      [
        { text: `memory ${bytes(memory.resident)}` },
        { text: `heap ${bytes(memory.heapUsed)}` },
        { text: `cpu ${percent(processors)}` },
      ],
    ],
    [
      'loop',
      [
        { text: `late by p50 ${time(loopDelay.p50)}` },
        { text: `p99 ${time(loopDelay.p99)}` },
        { text: `max ${time(loopDelay.max)}` },
      ],
    ],
    ...storeRow,
  ];
}

function bad(text: string, isBad: boolean): PrintPiece {
  return isBad ? { text, style: 'red' } : { text };
}

const nameWidth = 10;

/** Puts items side by side as far as they fit, otherwise one below the other. */
function group(items: readonly PrintPiece[], columns: number, name: string): PrintPiece[][] {
  const indentation = name === '' || columns < 2 * nameWidth ? 0 : nameWidth;
  const lines: PrintPiece[][] = [];
  let left = 0;
  for (const item of items) {
    const text = truncate(item.text, Math.max(1, columns - indentation));
    const width = textWidth(text);
    const line = lines.at(-1);
    if (line === undefined || left < width + 2) {
      const head = lines.length === 0 && indentation > 0 ? name : '';
      lines.push([
        { text: head.padEnd(indentation), style: 'dim' },
        { text, style: item.style },
      ]);
      left = columns - indentation - width;
    } else {
      line.push({ text: '  ' }, { text, style: item.style });
      left -= width + 2;
    }
  }
  return lines;
}

interface Column {
  title: string;
  width: number;
  text(tool: ToolFigures): string;
}

/** On a narrow terminal the last columns are dropped first. */
const numbers: readonly Column[] = [
  { title: 'calls', width: 9, text: ({ perSecond }) => rate(perSecond) },
  { title: 'p50', width: 9, text: ({ p50 }) => time(p50) },
  { title: 'p99', width: 9, text: ({ p99 }) => time(p99) },
  { title: 'errors', width: 9, text: ({ errorsPerSecond }) => rate(errorsPerSecond) },
  { title: 'running', width: 8, text: ({ running }) => String(running) },
  { title: 'since start', width: 12, text: ({ total }) => String(total) },
];
const minNameWidth = 12;
const maxNameWidth = 40;

function toolTable(tools: readonly ToolFigures[], columns: number): PrintPiece[][] {
  const shown: Column[] = [];
  let left = columns - minNameWidth;
  for (const column of numbers) {
    if (column.width > left) break;
    left -= column.width;
    shown.push(column);
  }
  const longest = Math.max(4, ...tools.map(({ tool }) => textWidth(toOneLine(tool))));
  const name = Math.max(1, Math.min(columns, maxNameWidth, longest, minNameWidth + Math.max(0, left)));
  const head = pad('tool', name) + shown.map(({ title, width }) => title.padStart(width)).join('');
  return [
    [{ text: truncate(head, columns), style: 'dim' }],
    ...tools.map((tool) => [
      { text: pad(toOneLine(tool.tool), name), style: 'cyan' as const },
      { text: shown.map(({ text, width }) => text(tool).padStart(width)).join('') },
    ]),
  ];
}

function pad(text: string, columns: number): string {
  const cut = textWidth(text) > columns ? `${truncate(text, columns - 1)}…` : text;
  return cut + ' '.repeat(Math.max(0, columns - textWidth(cut)));
}

/** Formats a time in seconds. */
export function time(seconds: number | undefined): string {
  if (seconds === undefined) return '–';
  if (seconds < 0.001) return `${Math.round(seconds * 1e6)} µs`;
  if (seconds < 1) return `${digits(seconds * 1000)} ms`;
  return seconds < 120 ? `${digits(seconds)} s` : span(seconds);
}

/** Formats a long time: days, hours, minutes. */
export function span(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return `${Math.floor(seconds)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return `${minutes} min`;
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Formats a rate per second. */
export function rate(perSecond: number): string {
  return `${digits(perSecond)}/s`;
}

/** Formats a number of bytes. */
export function bytes(count: number): string {
  return `${digits(count / (1024 * 1024))} MiB`;
}

/** Formats a fraction as a percentage. */
export function percent(share: number): string {
  return `${digits(share * 100)} %`;
}

/** Three digits are precise enough. */
function digits(value: number): string {
  if (value === 0) return '0';
  if (value < 0.01) return '<0.01';
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
