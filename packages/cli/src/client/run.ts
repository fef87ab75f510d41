import type { Client } from '@ccmcp/core/client';
import type { Context, Run } from './command.ts';
import { commands, isOpenCommand } from './commands.ts';
import { failureOf } from './explain.ts';
import { Failure } from './failure.ts';
import { type Opening, openClient } from './open.ts';
import { parseWords, type Words } from './options.ts';
import { type Output, processOutput } from './output.ts';
import { type Target, targetOf } from './target.ts';
import { processTerminal } from './terminal.ts';

/** Runs a command of the client side and gives its exit code. */
export async function run(name: string, args: readonly string[]): Promise<number> {
  // What was asked for is not yet known when the command line itself is wrong.
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined);
  const json = own.includes('--json');
  const output = processOutput({ json, verbose: own.includes('--verbose') });
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(new Failure('interrupted', 'Interrupted'));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const words = parseWords(args);
    if (words.help) {
      const { commandHelp } = await import('./help.ts');
      process.stdout.write(commandHelp(name));
      return 0;
    }
    return await perform(name, words, output, interrupted.signal);
  } catch (error) {
    const failure = failureOf(error);
    output.status(undefined);
    process.stderr.write(json ? `${JSON.stringify(failure)}\n` : failure.toText());
    return failure.exitCode;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

async function perform(
  name: string,
  { words, command, options }: Words,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const [first, ...rest] = words;
  const target = targetOf(first, command);
  const own = command === undefined ? rest : words;
  if (name === 'probe') {
    const { probe } = await import('./probe.ts');
    return probe({ target, options, output, signal });
  }
  const { run: runIt } = isOpenCommand(name) ? await commands[name].load() : await import('./shell.ts');
  const terminal = processTerminal();
  try {
    await within({ target, options, output, terminal, signal }, (context) => runIt(context, own));
  } finally {
    terminal.close();
  }
  return 0;
}

/** Runs something with a client that is closed afterwards, whatever happens. */
async function within(
  opening: Opening & { target: Target },
  use: (context: Context) => ReturnType<Run>,
): Promise<void> {
  let lose: (reason: Error) => void = () => {};
  const lost = new Promise<Error>((resolve) => {
    lose = resolve;
  });
  const client: Client = await openClient({ ...opening, onClose: (reason) => lose(reason) });
  const interrupted = new Promise<never>((_, reject) => {
    const { signal } = opening;
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  // Whoever is not waiting for it any more need not hear of it.
  interrupted.catch(() => {});
  try {
    await Promise.race([use({ ...opening, client, lost }), interrupted]);
  } finally {
    await client.close();
  }
}
