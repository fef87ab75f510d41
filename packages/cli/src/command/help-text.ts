import { host } from '../host.ts';
import { wrap } from '../terminal/wrap.ts';
import type { Options } from './options.ts';

/** The parts of a command's help. */
export interface HelpText {
  readonly name: string;
  /** The usage lines after the name. */
  readonly usage: readonly string[];
  readonly description: string;
  /** More sections before the options, such as a list of clients. */
  readonly sections?: readonly HelpSection[];
  readonly options: Options;
  readonly examples?: readonly string[];
  /** The meaning of exit codes, in one sentence. */
  readonly exitCodes?: string;
}

/** A titled list in a help text. */
export interface HelpSection {
  readonly title: string;
  readonly rows: readonly string[];
}

/** The width of the left column. */
const columnWidth = 24;

/** The width that help is wrapped at, where the terminal does not say one. */
const defaultColumns = 80;

/** A row of two columns, the right one wrapped; a longer left one has a line of its own. */
export function helpRow(left: string, right: string, width = columnWidth): string {
  const about = oneLine(right);
  const hang = width + 3;
  if (left.length <= width) return wrapLine(`  ${left.padEnd(width)} ${about}`, hang);
  return `  ${left}\n${wrapLine(' '.repeat(hang) + about, hang)}`;
}

/** Wraps text at the width of the terminal, paragraph by paragraph; indented lines stay lines of their own. */
export function wrapText(text: string): string {
  const lines = text.trim().replace(/(?<=\S)\n(?=[^\s])/g, ' ');
  return lines
    .split('\n')
    .map((line) => wrapLine(line))
    .join('\n');
}

function wrapLine(line: string, hang?: number): string {
  const columns = host.stdout.columns || defaultColumns;
  const lines = wrap({ pieces: [{ text: line }], ...(hang !== undefined && { hang }) }, columns);
  return lines
    .map((pieces) =>
      pieces
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

/** The options as rows of a help text. */
export function optionRows(options: Options): string[] {
  return Object.entries(options).map(([name, option]) => helpRow(optionUsage(name, option), option.about));
}

/** An option with its placeholder, such as `--root DIR`. */
export function optionUsage(name: string, { value }: Options[string]): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** The whole help of a command. */
export function formatHelp({
  name,
  usage,
  description,
  sections = [],
  options,
  examples = [],
  exitCodes,
}: HelpText): string {
  const hang = `Usage: ccmcp ${name} `.length;
  const lines = usage.map((line, index) => {
    const words = `${index === 0 ? 'Usage:' : '      '} ccmcp ${name} ${line}`.trimEnd();
    return wrapLine(words, hang);
  });
  const lists: HelpSection[] = [
    ...sections,
    { title: 'Options', rows: optionRows(options) },
    { title: 'Examples', rows: examples.map((example) => `  ${example}`) },
  ];
  return [
    lines.join('\n'),
    wrapText(description),
    ...lists.filter(({ rows }) => rows.length > 0).map(({ title, rows }) => `${title}:\n${rows.join('\n')}`),
    ...(exitCodes !== undefined ? [wrapText(`Exit codes: ${exitCodes}`)] : []),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}
