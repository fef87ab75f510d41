import type { Candidates, CommandContext } from '../command/command.ts';
import { exitCodes, type FailureKind } from '../command/failure.ts';
import { formatHelp } from '../command/help-text.ts';
import type { Options } from '../command/options.ts';
import { serverOptions } from '../servers/serve-options.ts';
import type { ClientCommand } from './context.ts';
import { type ClientOptionName, clientOptions } from './options.ts';

/** The definition of a client command. */
export interface ClientCommandDefinition
  extends Pick<ClientCommand, 'name' | 'usage' | 'briefUsage' | 'summary' | 'aliases' | 'description' | 'examples'>,
    Pick<ClientCommand, 'loadSession' | 'runOnTarget' | 'runWithoutTarget'> {
  readonly options?: readonly ClientOptionName[];
  /** The exit codes that its help names, beside 0. Default: those of most commands. */
  readonly exitKinds?: readonly FailureKind[];
  readonly takesTaskId?: true;
  /** It takes the address of a server and does not start one: help has no other targets, nor the options for them. */
  readonly takesUrl?: true;
}

/** The options that mean something only to a server that is started or used. */
const sessionOptions: readonly string[] = ['env', 'era', 'framing', 'root', 'log-level'];

/** The exit codes that the help of each command names. */
const usualKinds: readonly FailureKind[] = ['usage', 'unreachable', 'unauthorized', 'tool-error', 'timeout'];

/** Creates a client command: options, help, completion and errors are the same for all of them. */
export function defineClientCommand(definition: ClientCommandDefinition): ClientCommand {
  const { options: ownOptions = [], takesTaskId = false, takesUrl = false, exitKinds: _, ...rest } = definition;
  const isOwn = ([name]: [string, unknown]): boolean => ownOptions.some((own) => own === name);
  const all = Object.entries(clientOptions);
  const common = all.filter(([name, option]) => 'common' in option && !(takesUrl && sessionOptions.includes(name)));
  const options: Options = Object.fromEntries([...all.filter(isOwn), ...common]);
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

function help(definition: ClientCommandDefinition, options: Options): string {
  const { name, usage, description, examples, takesUrl = false, exitKinds = usualKinds } = definition;
  const codes = exitKinds.map((kind) => exitCodes[kind]).map(({ code, means }) => `${code} ${lowerFirst(means)}`);
  return formatHelp({
    name,
    usage: [`${usage} [options]`],
    description: [
      `${description.charAt(0).toUpperCase()}${description.slice(1)}.`,
      ...(takesUrl ? [] : [targets()]),
    ].join('\n\n'),
    options,
    examples,
    exitCodes: `0 done; ${codes.join('; ')}. "ccmcp --help" lists all.`,
  });
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** What a target may be. */
function targets(): string {
  const flags = Object.keys(serverOptions).map((each) => `--${each}`);
  return `A target is the name of a ready-made server, a URL, a file that exports or serves one, or a command after "--" at the end.
It may also be configured somewhere: cursor:NAME in Cursor or another client of "ccmcp install --help", NAME in mcp.json
of this folder, FILE:NAME in any such file. Options of a ready-made server (${flags.join(', ')})
work here too.`;
}
