import { type Limit, limits as coreLimits } from '@ccmcp/core';

const limits: Readonly<Record<string, Readonly<Record<string, Limit>>>> = coreLimits;

const marked = /<!-- limits: ([^>]*?) -->\n(?:\|.*\n)*/g;

const scales = {
  bytes: [
    [1024 * 1024, ' MiB'],
    [1024, ' KiB'],
    [1, ' bytes'],
  ],
  characters: [
    [1024 * 1024, ' Mi characters'],
    [1, ' characters'],
  ],
  milliseconds: [
    [60 * 60 * 1000, ' hour(s)'],
    [60 * 1000, ' minute(s)'],
    [1000, ' second(s)'],
    [1, ' ms'],
  ],
  seconds: [
    [60, ' minute(s)'],
    [1, ' second(s)'],
  ],
  count: [[1, '']],
  percent: [[1, ' %']],
} satisfies Record<Limit['unit'], [number, string][]>;

/** Formats a limit in the largest unit without a remainder, such as `1 MiB`. */
export function written({ value, unit }: Limit): string {
  const scale: [number, string][] = scales[unit];
  const [size, name] = scale.find(([each]) => value % each === 0) ?? [1, ''];
  return `${groupDigits(value / size)}${name.replace('(s)', value === size ? '' : 's')}`;
}

/** Groups digits by three, if there are more than four. */
function groupDigits(number: number): string {
  return number < 10_000 ? String(number) : String(number).replace(/\B(?=(\d{3})+$)/g, ' ');
}

/** Parses an amount such as `1 MiB`, `10 minutes` or `10 000`. Undefined for anything else. */
export function amount(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,3}(?: \d{3})+|\d+)(?: (MiB|Mi|s|minutes))?$/.exec(text) ?? [];
  const sizes: Record<string, number> = { '': 1, MiB: 1024 * 1024, Mi: 1024 * 1024, s: 1000, minutes: 60_000 };
  return digits === undefined ? undefined : Number(digits.replaceAll(' ', '')) * (sizes[unit] as number);
}

/** Names in the marks of a document: groups, and single limits as `group.name`. */
export function marks(text: string): string[] {
  return Array.from(text.matchAll(marked), ([, names = '']) => names.split(/[\s,]+/)).flat();
}

/**
 * The document with regenerated tables. A mark precedes each: `<!-- limits: stdio -->` for a whole group, `<!-- limits:
 * stdio.maxMessage, http.maxBody -->` for a selection.
 */
export function withTables(text: string): string {
  return text.replace(marked, (_, names: string) => `<!-- limits: ${names} -->\n${tableFor(names)}`);
}

function tableFor(names: string): string {
  const change = ['what', 'limit', 'change it with'];
  const group = limits[names];
  if (group === undefined) return table([change, ...names.split(/[\s,]+/).map((name) => cells(find(name)))]);
  const rows = Object.entries(group).map(([name, limit]) => [`\`${name}\``, ...cells(limit)]);
  return table([['name', ...change], ...rows]);
}

function find(path: string): Limit {
  const [group = '', name = ''] = path.split('.');
  const limit = limits[group]?.[name];
  if (limit === undefined) throw new Error(`No limit is called "${path}": see packages/core/src/limits.ts`);
  return limit;
}

function cells(limit: Limit): string[] {
  const { what, flag, option, of } = limit;
  const ways = [flag && `\`${flag}\``, option && `\`${option}\` of \`${of}\``];
  return [what, written(limit), ways.filter((way) => way !== undefined).join(', ')];
}

/** Formats rows as a Markdown table, the first one as its head, with aligned columns. */
function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const [head = [], ...body] = rows;
  const line = (row: string[], fill = ' '): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |\n`;
  const rule = line(
    head.map(() => ''),
    '-',
  );
  return [line(head), rule, ...body.map((row) => line(row))].join('');
}
