import type { Interface } from 'node:readline/promises';
import type { Context } from '../context.ts';
import { completer } from './completer.ts';
import { toFailure } from '../connection/to-failure.ts';
import { Failure } from '../../command/failure.ts';
import { processDataSource } from '../arguments/data-source.ts';
import { openHistory, type ShellHistory } from './history.ts';
import { splitLine } from '../../system/shell-words.ts';
import { didYouMean } from '../../command/suggest.ts';
import { wrap } from '../../terminal/wrap.ts';
import { host } from '../../host.ts';

const ownCommands = ['help', 'exit'] as const;

/** The state of a shell. */
interface Session {
  context: Context;
  terminal: Interface;
  isAttended: boolean;
  /** The command that runs; absent while the shell waits for one. */
  running: AbortController | undefined;
  /** Ctrl+C was pressed at an empty prompt, and nothing was typed since. */
  isExitPending: boolean;
}

/**
 * Runs commands line by line until the input ends. Without a terminal there is no prompt, and the first failure ends
 * it.
 */
export async function run(context: Context, words: readonly string[]): Promise<void> {
  if (words.length > 0) throw new Failure('usage', `Unexpected argument: ${words.join(' ')}`);
  const { createInterface } = await import('node:readline/promises');
  const isAttended = host.stdin.isTTY;
  const history = isAttended ? openHistory(process.env, process.platform) : undefined;
  const terminal = createInterface({
    input: host.stdin,
    ...(history && {
      output: host.stderr,
      completer: completer(
        context.client,
        context.commands.map(({ name }) => name),
      ),
      history: history.lines,
      historySize: history.size,
      removeHistoryDuplicates: true,
    }),
  });
  const session: Session = { context, terminal, isAttended, running: undefined, isExitPending: false };
  context.terminal.use(terminal);
  terminal.on('SIGINT', () => interrupt(session));
  if (history) recordHistory(session, history);
  // In a session the server's stderr is shown at once.
  context.stderr.listener = { error: (text) => context.output.note(text), line: (text) => context.output.note(text) };
  const lost = context.lost.then((reason) => Promise.reject(reason));
  try {
    if (isAttended) context.output.note('Type help for the commands, exit to leave.');
    terminal.setPrompt('> ');
    if (isAttended) terminal.prompt();
    await Promise.race([readLines(session), lost]);
  } finally {
    terminal.close();
  }
}

/** Ctrl+C aborts the running command, else clears the line, else exits at the second time. */
function interrupt(session: Session): void {
  const { running, terminal, context } = session;
  if (running !== undefined) {
    running.abort(new Failure('interrupted', 'Interrupted'));
  } else if (terminal.line !== '') {
    terminal.write(null, { ctrl: true, name: 'e' });
    terminal.write(null, { ctrl: true, name: 'u' });
  } else if (session.isExitPending) {
    terminal.close();
  } else {
    session.isExitPending = true;
    context.output.note('\nCtrl+C again, or exit, leaves the shell.');
    terminal.prompt();
  }
}

/** Records the commands. Input while one runs answers a server, and is not recorded. */
function recordHistory(session: Session, history: ShellHistory): void {
  session.terminal.on('history', (lines: string[]) => {
    const [line] = lines;
    if (line === undefined) return;
    if (session.running === undefined && history.record(line)) return;
    lines.shift();
  });
}

async function readLines(session: Session): Promise<void> {
  const { context, terminal, isAttended } = session;
  for await (const line of terminal) {
    session.isExitPending = false;
    const typed = splitLine(line);
    if (typed[0] === 'exit') return;
    const running = new AbortController();
    session.running = running;
    try {
      const signal = AbortSignal.any([context.signal, running.signal]);
      await execute({ ...context, signal, data: processDataSource({ inShell: true, signal }), inShell: true }, typed);
    } catch (error) {
      if (!isAttended) throw error;
      // Waits for the server's stderr, which belongs before the failure.
      await nextTurn();
      const failure = toFailure(error);
      context.output.failure(failure, failure.toText());
    } finally {
      session.running = undefined;
    }
    if (isAttended) terminal.prompt();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

async function execute(context: Context, [name, ...words]: readonly string[]): Promise<void> {
  if (name === undefined) return;
  if (name === 'help') {
    const names = [...context.commands.map((each) => each.name), ...ownCommands];
    context.output.value(names, () => helpText(context.commands));
    return;
  }
  const command = context.commands.find((each) => each.name === name);
  if (command !== undefined) {
    const { run: runCommand } = await command.loadSession();
    await runCommand(context, words);
  } else {
    const names = [...context.commands.map((each) => each.name), ...ownCommands];
    const hint = `To call a tool of that name, write call ${name}; help shows the commands.`;
    throw new Failure('usage', `There is no command "${name}".${didYouMean(name, names)}`, { hint });
  }
}

/** Each command above its description, wrapped to the terminal. */
function helpText(commands: Context['commands']): string {
  const columns = host.stdout.isTTY ? host.stdout.columns : Number.POSITIVE_INFINITY;
  const rows = commands.flatMap(({ name, usage, description }) => [
    `  ${name} ${usage.replace(/^TARGET ?/, '')}`.trimEnd(),
    `      ${description}`,
  ]);
  const lines = [...rows, '  help', '      show this text', '  exit', '      leave the shell'].flatMap((text) =>
    wrap({ pieces: [{ text }] }, columns),
  );
  return lines.map((pieces) => pieces.map(({ text }) => text).join('')).join('\n');
}
