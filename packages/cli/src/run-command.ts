import { serve } from './serve/serve.ts';
import { defaultCommand } from './servers/serve-command.ts';
import type { CommandLineMistake } from './servers/serve-options.ts';
import { type ServerName, serverNames } from './servers/servers.ts';

/**
 * Runs a command line. Returns the exit code, or undefined while a server runs: it has started before this returns, if
 * possible.
 */
export async function runCommand(given: readonly string[]): Promise<number | undefined> {
  try {
    const args = replaceHelpWords(given);
    // Servers must start fast, so neither the table of commands nor that of options is loaded for their names alone.
    if (args.length < 2 && args.every(isServerName)) {
      const command = defaultCommand(process.env);
      serve(args.length === 0 ? command : { ...command, servers: args });
      return undefined;
    }
    if (namesServer(args)) return await serveOrExplain(args);
    if (args[0] === 'serve')
      return await (await import('./serve/commands.ts')).serveFile.run(args.slice(1), { groups: [] });
    const [{ commandGroups: groups, commands }, { findCommand }] = await Promise.all([
      import('./commands.ts'),
      import('./command/command.ts'),
    ]);
    const command = findCommand(args, commands);
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
    word === undefined || word.startsWith('-') || isServerName(word);
  return isServer(first) && (isServer(second) || first?.startsWith('-') === true);
}

function isServerName(word: string): word is ServerName {
  return serverNames.some((name) => name === word);
}

async function serveOrExplain(args: readonly string[]): Promise<number | undefined> {
  const { parseServeOptions } = await import('./servers/serve-options.ts');
  const command = parseServeOptions(args, process.env);
  switch (command.kind) {
    case 'help':
      return printHelp();
    case 'print':
      return printText(command.text);
    case 'mistake':
      return explain(command, args);
    case 'serve':
      serve(command);
      return undefined;
  }
}

async function printHelp(): Promise<undefined> {
  const [{ commandGroups }, { generalHelp }] = await Promise.all([import('./commands.ts'), import('./serve/help.ts')]);
  return printText(generalHelp(commandGroups));
}

async function printText(text: string): Promise<undefined> {
  const { print } = await import('./terminal/print.ts');
  print(text);
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
