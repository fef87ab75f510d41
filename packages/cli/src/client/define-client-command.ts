import type { Candidates, CommandContext } from '../command/command.ts';
import { exitCodes } from '../command/failure.ts';
import { formatHelp, helpRow } from '../command/help-text.ts';
import type { Options } from '../command/options.ts';
import { serverOptions } from '../servers/serve-options.ts';
import type { ClientCommand } from './context.ts';
import { type ClientOptionName, clientOptions } from './options.ts';

/** The definition of a client command. */
export interface ClientCommandDefinition
  extends Pick<ClientCommand, 'name' | 'usage' | 'briefUsage' | 'summary' | 'aliases' | 'description' | 'examples'>,
    Pick<ClientCommand, 'loadSession' | 'runOnTarget' | 'runWithoutTarget'> {
  readonly options?: readonly ClientOptionName[];
  readonly takesTaskId?: true;
}

/** Creates a client command: options, help, completion and errors are the same for all of them. */
export function defineClientCommand(definition: ClientCommandDefinition): ClientCommand {
  const { options: ownOptions = [], takesTaskId = false, ...rest } = definition;
  const shown = Object.entries(clientOptions).filter(
    ([name, option]) => 'common' in option || ownOptions.some((own) => own === name),
  );
  const options: Options = Object.fromEntries(shown);
  const command: ClientCommand = {
    ...rest,
    options,
    ownOptions,
    takesTaskId,
    help: () => help(definition, options),
    complete: (words, context) => complete(command, words, context),
    run: async (args, context) => (await import('./run-client-command.ts')).runClientCommand(command, args, context),
  };
  return command;
}

async function complete(
  { name, takesTaskId }: ClientCommand,
  words: readonly string[],
  context: CommandContext,
): Promise<Candidates> {
  const { completeClientWord } = await import('./complete-word.ts');
  return completeClientWord({ name, takesTaskId }, words, context);
}

function help({ name, usage, description, examples }: ClientCommandDefinition, options: Options): string {
  const flags = Object.keys(serverOptions).map((each) => `--${each}`);
  return formatHelp({
    name,
    usage: [`${usage} [options]`],
    description: `${description.charAt(0).toUpperCase()}${description.slice(1)}.

A target is the name of a ready-made server, a URL, a file that exports or serves one, or a command after "--" at the end.
It may also be configured somewhere: cursor:NAME in Cursor or another client of "ccmcp install --help", NAME in mcp.json
of this folder, FILE:NAME in any such file. Options of a ready-made server (${flags.join(', ')})
work here too.`,
    options,
    examples,
    exitCodes: Object.values(exitCodes).map(({ code, means }) => helpRow(String(code), means)),
  });
}
