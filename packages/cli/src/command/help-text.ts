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
  /** The meaning of exit codes, in one sentence or a row for each. */
  readonly exitCodes?: string | readonly string[];
}

/** A titled list in a help text. */
export interface HelpSection {
  readonly title: string;
  readonly rows: readonly string[];
}

/** The width of the left column. */
const columnWidth = 24;

/** A row of two columns; further lines of `right` continue in the second. */
export function helpRow(left: string, right: string, width = columnWidth): string {
  const lines = right.split('\n');
  return `  ${left.padEnd(width)} ${lines.join(`\n${' '.repeat(width + 3)}`)}`.trimEnd();
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
  const lines = usage.map((line, index) => `${index === 0 ? 'Usage:' : '      '} ccmcp ${name} ${line}`.trimEnd());
  const lists: HelpSection[] = [
    ...sections,
    { title: 'Options', rows: optionRows(options) },
    { title: 'Examples', rows: examples.map((example) => `  ${example}`) },
    ...(typeof exitCodes === 'object' ? [{ title: 'Exit codes', rows: exitCodes }] : []),
  ];
  return [
    lines.join('\n'),
    description.trim(),
    ...lists.filter(({ rows }) => rows.length > 0).map(({ title, rows }) => `${title}:\n${rows.join('\n')}`),
    ...(typeof exitCodes === 'string' ? [`Exit codes: ${exitCodes}`] : []),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}
