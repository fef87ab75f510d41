import type { Environment } from '../system/environment.ts';
import type { Options } from './options.ts';

/** A command of `ccmcp`: one row of the table from which dispatch, help, completion and hints come. */
export interface Command {
  /** What the user types: one word, or two as in `notes export`. */
  readonly name: string;
  /** The arguments, as docs and help show them. */
  readonly usage: string;
  /** Fewer arguments for the list in `ccmcp --help`. Default: those of `usage` that are not optional. */
  readonly briefUsage?: string;
  /** Its line in `ccmcp --help`. */
  readonly summary: string;
  /** Omitted from lists, such as `audit` alone. */
  readonly hidden?: true;
  /** Names of the same command in other tools, with the command to type here. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly options: Options;
  readonly examples: readonly string[];
  /** What `ccmcp NAME --help` prints. */
  help(): string | Promise<string>;
  /** Completes the last of `words`, which follow the name and hold no options. */
  complete?(words: readonly string[], context: CommandContext): Candidates | Promise<Candidates>;
  /** Returns the exit code; undefined while a server runs. Its modules are loaded when it runs. */
  run(args: readonly string[], context: CommandContext): Promise<number | undefined>;
}

/** Related commands, under one title in `ccmcp --help`. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** The context of a command. */
export interface CommandContext {
  readonly groups: readonly CommandGroup[];
  /** Default: that of this process. Tests replace it. */
  readonly environment?: Environment;
}

/** The completions of a word, and the paths that the shell adds. */
export interface Candidates {
  readonly paths: 'none' | 'files' | 'folders';
  readonly found: readonly Candidate[];
}

/** A space at its end completes the word. */
export interface Candidate {
  readonly word: string;
  readonly about?: string;
}

/** Candidates that complete the whole word. */
export function candidates(words: readonly string[], paths: Candidates['paths'] = 'none'): Candidates {
  return { paths, found: words.map((word) => ({ word: `${word} ` })) };
}

/** The command that the first two words, or the first, name. */
export function findCommand(words: readonly string[], commands: readonly Command[]): Command | undefined {
  const find = (count: number) => commands.find(({ name }) => name === words.slice(0, count).join(' '));
  return find(2) ?? find(1);
}
