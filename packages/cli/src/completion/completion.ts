import type { CommandContext } from '../command/command.ts';
import { UsageError } from '../command/usage-error.ts';
import { toOneLine, print } from '../terminal/print.ts';
import { splitLine } from '../util/shell-words.ts';
import { completeWords } from './candidates.ts';
import { scripts } from './scripts.ts';

/** Prints the script for a shell. */
export async function printScript([shell = '', ...more]: readonly string[]): Promise<number> {
  if (!Object.hasOwn(scripts, shell)) {
    throw new UsageError(`the shell must be one of ${Object.keys(scripts).join(', ')}`);
  }
  if (more.length > 0) throw new UsageError(`unexpected argument: ${more.join(' ')}`);
  print(scripts[shell as keyof typeof scripts]);
  return 0;
}

/** Prints lines: which paths the shell adds, the word that was typed, then the candidates. */
export async function printCandidates([form, ...rest]: readonly string[], context: CommandContext): Promise<number> {
  const words = form === '--line' ? typedWords(rest[0] ?? '').slice(1) : rest;
  const { paths, found } = await completeWords(words.length === 0 ? [''] : words, context);
  const typed = words.at(-1) ?? '';
  const matching = found.filter(({ word }) => word.startsWith(typed));
  const lines = matching.map(({ word, about }) => (about === undefined ? word : `${word}\t${toOneLine(about)}`));
  print(`${[paths, toOneLine(typed), ...lines].join('\n')}\n`);
  return 0;
}

/** The words of a line so far; the last is empty where a new one begins. */
function typedWords(line: string): string[] {
  const words = splitLine(line);
  return /\s$/.test(line) && splitLine(`${line}x`).length > words.length ? [...words, ''] : words;
}
