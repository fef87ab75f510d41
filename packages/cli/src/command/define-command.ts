import { print, printStderr } from '../terminal/print.ts';
import type { Command, CommandContext } from './command.ts';
import { formatHelp, type HelpText } from './help-text.ts';
import { helpOption, type Options, type ParsedOptions, parseOptions } from './options.ts';
import { reportFailure } from './report-failure.ts';
import { explainUnknownOption } from './suggest.ts';
import { UnknownOptionError } from './usage-error.ts';

/** A command whose options are parsed before it runs. */
export interface CommandDefinition<T extends Options>
  extends Omit<Command, 'options' | 'help' | 'run' | 'examples'>,
    Omit<HelpText, 'name' | 'usage' | 'options'> {
  /** The usage lines of its help. Default: `usage`. */
  readonly helpUsage?: readonly string[];
  /** The options without `--help`, which every command has. */
  readonly options: T;
  /** Separates the words after `--`. Default: they are positional. */
  readonly keepsRest?: true;
  /** Help that takes time to load. */
  moreHelp?(): Promise<Partial<HelpText>>;
  run(parsed: ParsedOptions<T>, context: CommandContext): Promise<number | undefined>;
}

/** Creates a command that parses its options, answers `--help` and reports failures. */
export function defineCommand<const T extends Options>(definition: CommandDefinition<T>): Command {
  const { run: act, options: own, moreHelp, helpUsage, keepsRest, ...rest } = definition;
  const options = { ...own, help: helpOption };
  const { name, usage } = rest;
  const help = async (): Promise<string> =>
    formatHelp({ ...rest, usage: helpUsage ?? [`${usage} [options]`.trimStart()], options, ...(await moreHelp?.()) });
  return {
    ...rest,
    examples: rest.examples ?? [],
    options,
    help,
    async run(args, context) {
      const { environment } = context;
      try {
        const parsed = parse(args, options);
        if (!keepsRest) parsed.positionals.push(...(parsed.rest ?? []));
        if (parsed.values.help !== true) return await act(parsed, context);
        (environment?.print ?? print)(await help());
        return 0;
      } catch (error) {
        return reportFailure(error, { args, name }, environment?.printStderr ?? printStderr);
      }
    },
  };
}

function parse<T extends Options>(args: readonly string[], options: T): ParsedOptions<T> {
  try {
    return parseOptions(args, options);
  } catch (error) {
    throw error instanceof UnknownOptionError ? explainUnknownOption(error, Object.keys(options)) : error;
  }
}
