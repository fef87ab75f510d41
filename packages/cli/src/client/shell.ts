import type { Interface } from 'node:readline/promises';
import type { Context } from './command.ts';
import { commands, isOpenCommand } from './commands.ts';
import { completer } from './completer.ts';
import { failureOf } from './explain.ts';
import { Failure } from './failure.ts';
import { processData } from './given-data.ts';
import { openHistory, type ShellHistory } from './shell-history.ts';
import { splitLine } from './shell-words.ts';
import { didYouMean } from './suggest.ts';
import { wrap } from './wrap.ts';
import { host } from '../host.ts';

const ownCommands = ['help', 'exit'] as const;

/** What the lines of a shell have in common. */
interface Session {
  context: Context;
  terminal: Interface;
  isAttended: boolean;
  /** The command that runs; absent while the shell waits for one. */
  running: AbortController | undefined;
  /** Ctrl+C was pressed at an empty prompt, and nothing was typed since. */
  wasAsked: boolean;
}

/** Takes commands line by line until the input ends. Without a terminal there is no prompt, and a failure ends it. */
export async function run(context: Context, words: readonly string[]): Promise<void> {
  if (words.length > 0) throw new Failure('usage', `Unexpected argument: ${words.join(' ')}`);
  const { createInterface } = await import('node:readline/promises');
  const isAttended = host.stdin.isTTY;
  const history = isAttended ? openHistory(process.env, process.platform) : undefined;
  const terminal = createInterface({
    input: host.stdin,
    ...(history && {
      output: host.stderr,
      completer: completer(context.client),
      history: history.lines,
      historySize: history.size,
      removeHistoryDuplicates: true,
    }),
  });
  const session: Session = { context, terminal, isAttended, running: undefined, wasAsked: false };
  context.terminal.lend(terminal);
  terminal.on('SIGINT', () => interrupt(session));
  if (history) remember(session, history);
  // In a session one wants to see what happens as it happens.
  context.stderr.listener = { error: (text) => context.output.note(text), line: (text) => context.output.note(text) };
  const lost = context.lost.then((reason) => Promise.reject(reason));
  try {
    if (isAttended) context.output.note('Type help for the commands, exit to leave.');
    terminal.setPrompt('> ');
    if (isAttended) terminal.prompt();
    await Promise.race([read(session), lost]);
  } finally {
    terminal.close();
  }
}

/** Ctrl+C ends what runs, else forgets what was typed, else leaves, but not before the second time. */
function interrupt(session: Session): void {
  const { running, terminal, context } = session;
  if (running !== undefined) {
    running.abort(new Failure('interrupted', 'Interrupted'));
  } else if (terminal.line !== '') {
    terminal.write(null, { ctrl: true, name: 'e' });
    terminal.write(null, { ctrl: true, name: 'u' });
  } else if (session.wasAsked) {
    terminal.close();
  } else {
    session.wasAsked = true;
    context.output.note('\nCtrl+C again, or exit, leaves the shell.');
    terminal.prompt();
  }
}

/** Keeps the commands that were typed. What is typed while one runs answers a server, and is nobody's business later. */
function remember(session: Session, history: ShellHistory): void {
  session.terminal.on('history', (lines: string[]) => {
    const [line] = lines;
    if (line === undefined) return;
    if (session.running === undefined && history.keep(line)) return;
    lines.shift();
  });
}

async function read(session: Session): Promise<void> {
  const { context, terminal, isAttended } = session;
  for await (const line of terminal) {
    session.wasAsked = false;
    const typed = splitLine(line);
    if (typed[0] === 'exit') return;
    const running = new AbortController();
    session.running = running;
    try {
      const signal = AbortSignal.any([context.signal, running.signal]);
      await perform({ ...context, signal, data: processData({ inShell: true, signal }), inShell: true }, typed);
    } catch (error) {
      if (!isAttended) throw error;
      // What the server wrote to stderr before it answered lies there, and belongs before the failure.
      await nextTurn();
      const failure = failureOf(error);
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

async function perform(context: Context, [name, ...words]: readonly string[]): Promise<void> {
  if (name === undefined) return;
  if (name === 'help') {
    context.output.value([...Object.keys(commands), ...ownCommands], helpText);
  } else if (isOpenCommand(name)) {
    const { run: runIt } = await commands[name].load();
    await runIt(context, words);
  } else {
    const names = [...Object.keys(commands), ...ownCommands];
    const hint = `To call a tool of that name, write call ${name}; help shows the commands.`;
    throw new Failure('usage', `There is no command "${name}".${didYouMean(name, names)}`, { hint });
  }
}

/** Each command above what it does, within the terminal's width. */
function helpText(): string {
  const columns = host.stdout.isTTY ? host.stdout.columns : Number.POSITIVE_INFINITY;
  const rows = Object.entries(commands).flatMap(([name, { usage, about }]) => [
    `  ${name} ${usage.replace(/^TARGET ?/, '')}`.trimEnd(),
    `      ${about}`,
  ]);
  const lines = [...rows, '  help', '      shows this text', '  exit', '      leaves the shell'].flatMap((text) =>
    wrap({ pieces: [{ text }] }, columns),
  );
  return lines.map((pieces) => pieces.map(({ text }) => text).join('')).join('\n');
}
