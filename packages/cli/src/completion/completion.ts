import { Misuse } from '../command/usage-error.ts';
import { oneLine, print } from '../terminal/print.ts';
import { tellFailure } from '../command/report-failure.ts';
import { splitLine } from '../util/shell-words.ts';

const help = `Usage: ccmcp completion bash|zsh|fish

Prints a script by which a shell completes commands, options, ready-made servers, their tools and arguments, and files.

  bash   source <(ccmcp completion bash)     in ~/.bashrc
  zsh    source <(ccmcp completion zsh)      in ~/.zshrc, after compinit
  fish   ccmcp completion fish | source      in ~/.config/fish/config.fish
`;

/** Prints the script for a shell or, for that script, what the last word of a line may be. */
export async function completion([what, ...rest]: readonly string[], commandNames: readonly string[]): Promise<number> {
  if (what === 'candidates') return candidates(rest, commandNames);
  if (what === '--help' || what === '-h') {
    print(help);
    return 0;
  }
  const { scripts } = await import('./scripts.ts');
  const script = what !== undefined && Object.hasOwn(scripts, what) ? scripts[what as keyof typeof scripts] : undefined;
  if (script === undefined || rest.length > 0) {
    const shells = Object.keys(scripts).join(', ');
    const wrong =
      script === undefined ? `the shell must be one of ${shells}` : `unexpected argument: ${rest.join(' ')}`;
    return tellFailure(new Misuse(wrong), { args: [what ?? '', ...rest], name: 'completion' });
  }
  print(script);
  return 0;
}

/** One line each: what the shell is to add, what was typed, then the candidates. A space at the end ends the word. */
async function candidates([form, ...rest]: readonly string[], commandNames: readonly string[]): Promise<number> {
  const words = form === '--line' ? typedWords(rest[0] ?? '').slice(1) : rest;
  const { candidatesFor } = await import('./candidates.ts');
  const { adds, found } = await candidatesFor(words.length === 0 ? [''] : words, commandNames);
  const typed = words.at(-1) ?? '';
  const fitting = found.filter(({ word }) => word.startsWith(typed));
  const lines = fitting.map(({ word, about }) => (about === undefined ? word : `${word}\t${oneLine(about)}`));
  print(`${[adds, oneLine(typed), ...lines].join('\n')}\n`);
  return 0;
}

/** The words of a line so far; the last is empty where a new one begins. */
function typedWords(line: string): string[] {
  const words = splitLine(line);
  return /\s$/.test(line) && splitLine(`${line}x`).length > words.length ? [...words, ''] : words;
}
