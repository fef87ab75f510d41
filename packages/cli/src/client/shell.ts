import type { Context } from './command.ts';
import { commands, isOpenCommand } from './commands.ts';
import { completer } from './completer.ts';
import { failureOf } from './explain.ts';
import { Failure } from './failure.ts';
import { splitLine } from './shell-words.ts';
import { didYouMean } from './suggest.ts';

const ownCommands = ['help', 'exit'] as const;

/** Takes commands line by line until the input ends. Without a terminal there is no prompt, and a failure ends it. */
export async function run(context: Context, words: readonly string[]): Promise<void> {
  if (words.length > 0) throw new Failure('usage', `Unexpected argument: ${words.join(' ')}`);
  const { createInterface } = await import('node:readline/promises');
  const isAttended = process.stdin.isTTY;
  const terminal = createInterface({
    input: process.stdin,
    ...(isAttended && { output: process.stderr, completer: completer(context.client), historySize: 200 }),
  });
  let running: AbortController | undefined;
  context.terminal.lend(terminal);
  terminal.on('SIGINT', () => {
    if (running === undefined) terminal.close();
    else running.abort(new Failure('interrupted', 'Interrupted'));
  });
  const lost = context.lost.then((reason) => Promise.reject(reason));
  try {
    if (isAttended) context.output.note('Type help for the commands, exit to leave.');
    terminal.setPrompt('> ');
    if (isAttended) terminal.prompt();
    const reading = read();
    await Promise.race([reading, lost]);
  } finally {
    terminal.close();
  }

  async function read(): Promise<void> {
    for await (const line of terminal) {
      const typed = splitLine(line);
      if (typed[0] === 'exit') return;
      running = new AbortController();
      try {
        const signal = AbortSignal.any([context.signal, running.signal]);
        await perform({ ...context, signal }, typed);
      } catch (error) {
        if (!isAttended) throw error;
        context.output.note(failureOf(error).toText());
      } finally {
        running = undefined;
      }
      if (isAttended) terminal.prompt();
    }
  }
}

async function perform(context: Context, [name, ...words]: readonly string[]): Promise<void> {
  if (name === undefined) return;
  if (name === 'help') {
    context.output.note(helpText());
  } else if (isOpenCommand(name)) {
    const { run: runIt } = await commands[name].load();
    await runIt(context, words);
  } else {
    const names = [...Object.keys(commands), ...ownCommands];
    throw new Failure('usage', `There is no command "${name}".${didYouMean(name, names)}`, { hint: helpText() });
  }
}

function helpText(): string {
  const rows = Object.entries(commands).map(([name, { usage, about }]) => {
    const left = `${name} ${usage.replace(/^TARGET ?/, '')}`;
    return `  ${left.padEnd(56)} ${about}`;
  });
  return [...rows, '  exit'].join('\n');
}
