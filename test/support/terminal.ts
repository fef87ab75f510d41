import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { launcher, runOn } from './ccmcp.ts';

/** Whether real terminals are available. */
export const hasTerminals = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** What to type when a text has appeared since the last answer. */
export type Answers = [RegExp, string][];

/** The output of a terminal. */
export interface Shown {
  code: number | null;
  /** The visible text, line by line. */
  screen: string;
  /** The raw output, with escape sequences. */
  written: string;
}

// Without the history, colours and image support of the user who runs the tests.
const ownVariables = { TERM: 'xterm', TERM_PROGRAM: '', CCMCP_HISTORY: '' };

/** Runs a command in this process on an emulated terminal: 80 columns, 24 rows, keys and echo. */
export async function onTerminal(args: string[], answers: Answers, env: NodeJS.ProcessEnv = {}): Promise<Shown> {
  const signals = new EventEmitter();
  const person = typing(answers, (text) => keyboard.type(text));
  const see = (text: string): void => {
    person.see(text);
    // Not while a line is being written.
    setImmediate(person.answer);
  };
  const keyboard = madeUpKeyboard({ echo: see, interrupt: () => void signals.emit('SIGINT') });
  const code = await runOn(args, {
    stdin: keyboard.stdin,
    stdout: madeUpScreen(see),
    stderr: madeUpScreen(see),
    signals,
    env: { ...ownVariables, ...env },
  });
  return { code, ...person.seen() };
}

/** The same in its own process on a system terminal, for tests that need one. */
export function onRealTerminal(args: string[], answers: Answers, env: NodeJS.ProcessEnv = {}): Promise<Shown> {
  const command = [launcher, ...args].map((arg) => `'${arg}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols 80; exec ${command}`, '/dev/null'], {
    stdio: 'pipe',
    env: { ...process.env, ...ownVariables, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const person = typing(answers, (text) => child.stdin.write(text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    person.see(text);
    person.answer();
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...person.seen() })));
}

/** A user who reads the output, and types. */
function typing(answers: Answers, type: (text: string) => void) {
  let screen = '';
  let written = '';
  let answered = 0;
  return {
    see(text: string): void {
      written += text;
      // Strips escape sequences, which a user does not see.
      screen = (screen + text).replace(/(?![\r\n\t])\p{Cc}\[[0-9;]*[A-Za-z]/gu, '');
    },
    /** Types the next answer, if its text has appeared. */
    answer(): void {
      const [pattern, answer = ''] = answers[0] ?? [];
      if (pattern === undefined || !pattern.test(screen.slice(answered))) return;
      answered = screen.length;
      answers.shift();
      type(answer);
    },
    seen: () => ({ screen, written }),
  };
}

function madeUpScreen(see: (text: string) => void): NodeJS.WriteStream & { fd: number } {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _, done) {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
      see(text.replaceAll('\n', '\r\n'));
      done();
    },
  });
  return Object.assign(stream, { isTTY: true, columns: 80, rows: 24, fd: -1 }) as unknown as NodeJS.WriteStream & {
    fd: number;
  };
}

/**
 * A keyboard: in raw mode keys are passed through, else by line with an echo; Ctrl+C interrupts and Ctrl+D ends the
 * input.
 */
function madeUpKeyboard({ echo, interrupt }: { echo: (text: string) => void; interrupt: () => void }) {
  let line = '';
  const stdin = Object.assign(new Readable({ read() {} }), {
    isTTY: true,
    isRaw: false,
    setRawMode(mode: boolean) {
      stdin.isRaw = mode;
      return stdin;
    },
  });
  const press = (key: string): void => {
    if (stdin.isRaw) stdin.push(key);
    else if (key === '\u0003') interrupt();
    else if (key === '\u0004') stdin.push(line === '' ? null : line);
    else if (key === '\r' || key === '\n') {
      stdin.push(`${line}\n`);
      line = '';
    } else line += key;
  };
  const type = (text: string): void => {
    if (!stdin.isRaw) echo(text.replaceAll(/[\r\n]/g, '\r\n').replaceAll(/(?![\r\n])\p{Cc}/gu, ''));
    // A key such as an arrow is several characters.
    for (const key of stdin.isRaw && text.startsWith('\u001B') ? [text] : text) press(key);
  };
  return { stdin: stdin as unknown as NodeJS.ReadStream, type };
}
