import { print } from './terminal/print.ts';
import { serve } from './serve/serve.ts';
import { type CommandLineMistake, parseServeOptions } from './servers/serve-options.ts';
import { serverNames } from './servers/servers.ts';

/**
 * Runs a command line. Returns the exit code, or undefined while a server runs on: it has started before this returns, where
 * that is possible.
 */
export async function runCommand(given: readonly string[]): Promise<number | undefined> {
  try {
    const args = replaceHelpWords(given);
    // Servers must start at once, so they don't wait for the table.
    if (namesServer(args)) return await serveOrExplain(args);
    if (args[0] === 'serve')
      return await (await import('./serve/commands.ts')).serveFile.run(args.slice(1), { groups: [] });
    const { commandGroups: groups, findCommand } = await import('./commands.ts');
    const command = findCommand(args);
    if (command === undefined) return await serveOrExplain(args);
    return await command.run(args.slice(command.name.split(' ').length), { groups });
  } catch (error) {
    const { reportFailure } = await import('./command/report-failure.ts');
    return reportFailure(error, { args: given });
  }
}

/** Many tools take `help`, `help COMMAND` and `version` as words. */
function replaceHelpWords([first, ...rest]: readonly string[]): string[] {
  if (first === 'help') return [...rest, '--help'];
  if (first === 'version') return ['--version'];
  return first === undefined ? [] : [first, ...rest];
}

/** True if the words before the options name servers, and so no command. */
function namesServer([first, second]: readonly string[]): boolean {
  const isServer = (word: string | undefined): boolean =>
    word === undefined || word.startsWith('-') || serverNames.some((name) => name === word);
  return isServer(first) && (isServer(second) || first?.startsWith('-') === true);
}

function serveOrExplain(args: readonly string[]): Promise<number | undefined> | undefined {
  const command = parseServeOptions(args, process.env);
  switch (command.kind) {
    case 'help':
      return printHelp();
    case 'print':
      print(command.text);
      return undefined;
    case 'mistake':
      return explain(command, args);
    case 'serve':
      serve(command);
      return undefined;
  }
}

async function printHelp(): Promise<undefined> {
  const [{ commandGroups }, { generalHelp }] = await Promise.all([import('./commands.ts'), import('./serve/help.ts')]);
  print(generalHelp(commandGroups));
}

async function explain(mistake: CommandLineMistake, args: readonly string[]): Promise<number> {
  const [{ commands }, { explainMistake }, { reportFailure }, { UsageError }] = await Promise.all([
    import('./commands.ts'),
    import('./serve/migration-hints.ts'),
    import('./command/report-failure.ts'),
    import('./command/usage-error.ts'),
  ]);
  return reportFailure(new UsageError(explainMistake(mistake, commands)), { args });
}
