import {
  type CommandContext,
  type Candidate,
  candidates,
  type Candidates,
  type Command,
  findCommand,
} from '../command/command.ts';
import { UsageError } from '../command/usage-error.ts';
import { toOneLine, print } from '../terminal/print.ts';
import { splitLine } from '../system/shell-words.ts';
import { scripts } from './scripts.ts';
import type { Option, Options } from '../command/options.ts';
import { serveOptions, serverOptions } from '../servers/serve-options.ts';
import { serverNames } from '../servers/servers.ts';

/** Prints the script for a shell. */
export async function printScript([shell = '', ...more]: readonly string[]): Promise<number> {
  if (!Object.hasOwn(scripts, shell)) {
    throw new UsageError(`the shell must be one of ${Object.keys(scripts).join(', ')}`);
  }
  if (more.length > 0) throw new UsageError(`unexpected argument: ${more.join(' ')}`);
  print(scripts[shell as keyof typeof scripts]);
  return 0;
}

/** Prints lines: which paths the shell adds, the typed word, then the candidates. */
export async function printCandidates([form, ...rest]: readonly string[], context: CommandContext): Promise<number> {
  const words = form === '--line' ? typedWords(rest[0] ?? '').slice(1) : rest;
  const { paths, found } = await completeWords(words.length === 0 ? [''] : words, context);
  const typed = words.at(-1) ?? '';
  const matching = found.filter(({ word }) => word.startsWith(typed));
  const lines = matching.map(({ word, about }) => (about === undefined ? word : `${word}\t${toOneLine(about)}`));
  print(`${[paths, toOneLine(typed), ...lines].join('\n')}\n`);
  return 0;
}

/** The words of a line so far; the last is empty if a new one begins. */
function typedWords(line: string): string[] {
  const words = splitLine(line);
  return /\s$/.test(line) && splitLine(`${line}x`).length > words.length ? [...words, ''] : words;
}

/** Shell completion: completes the last of the words that follow `ccmcp`. */
export async function completeWords(words: readonly string[], context: CommandContext): Promise<Candidates> {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  // Another program's command line follows.
  if (before.includes('--')) return candidates([], 'files');
  const commands = context.groups.flatMap((group) => group.commands);
  const command = findCommand(before, commands);
  const options = optionsOf(command);
  const value = completeValue(before.at(-1) ?? '', last, options);
  if (value !== undefined) return value;
  if (last.startsWith('-') && last !== '-') return completeOption(command);
  if (before.length === 0) return firstWord(commands);
  const second = secondWords(before, commands);
  if (second.length > 0) return candidates(second);
  if (command === undefined) return candidates(serverNames);
  const own = before.slice(command.name.split(' ').length);
  return (await command.complete?.([...positionals(own, options), last], context)) ?? candidates([]);
}

/** The options that are parsed: client commands take those of ready-made servers too. */
function optionsOf(command: Command | undefined): Options {
  if (command === undefined) return serveOptions;
  return isClientCommand(command) ? { ...serverOptions, ...command.options } : command.options;
}

function isClientCommand(command: Command): boolean {
  return 'ownOptions' in command;
}

/** Completes the value of an option, after a space or an equals sign; undefined if the word is no value. */
function completeValue(previous: string, last: string, options: Options): Candidates | undefined {
  const [, assigned, given] = /^(--[a-z-]+)=(.*)$/s.exec(last) ?? [];
  const typed = assigned ?? previous;
  const option = findOption(typed, options);
  if (option?.value === undefined) return undefined;
  const start = given === undefined ? '' : `${typed}=`;
  if (option.choices !== undefined) return candidates(option.choices.map((choice) => `${start}${choice}`));
  if (given !== undefined) return undefined;
  if (option.completes !== undefined) return candidates([], option.completes);
  return option.optionalValue === undefined ? candidates([]) : undefined;
}

function findOption(typed: string, options: Options): Option | undefined {
  const name = typed.startsWith('--') ? typed.slice(2) : '';
  return Object.hasOwn(options, name) ? options[name] : undefined;
}

function completeOption(command: Command | undefined): Candidates {
  const options = Object.entries(command?.options ?? serveOptions);
  const found: Candidate[] = options.map(([name, { about }]) => ({
    word: `--${name} `,
    about: about.replaceAll('\n', ' '),
  }));
  const isClient = command !== undefined && isClientCommand(command);
  return { paths: 'none', found: isClient ? [...found, { word: '-- ' }] : found };
}

function firstWord(commands: readonly Command[]): Candidates {
  const found = new Map<string, Candidate>();
  for (const { name, summary } of commands) {
    const [word = name] = name.split(' ', 1);
    found.set(word, word === name ? { word: `${word} `, about: summary } : { word: `${word} ` });
  }
  for (const name of serverNames) found.set(name, { word: `${name} ` });
  return { paths: 'none', found: [...found.values()] };
}

/** The second words of commands such as `notes export`. */
function secondWords(before: readonly string[], commands: readonly Command[]): string[] {
  const [first, second] = before;
  if (second !== undefined) return [];
  return commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.slice(`${first} `.length));
}

/** The words that are neither options nor their values. */
function positionals(words: readonly string[], options: Options): string[] {
  return words.filter((word, index) => {
    const previous = findOption(words[index - 1] ?? '', options);
    return !word.startsWith('--') && (previous?.value === undefined || previous.optionalValue !== undefined);
  });
}
