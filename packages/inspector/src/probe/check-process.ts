import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { limits } from '@ccmcp/core';
import { Problem } from './report.ts';
import type { ProbeTarget } from './target.ts';
import type { ProbeWords } from './words.ts';

/** Takes a text piece by piece until its first line that is not blank is there, or has become too long. */
export class FirstLine {
  /** That line, or the beginning of one that is too long. What comes after it is not kept. */
  line: string | undefined;
  readonly #most: number;
  #pieces: string[] = [];
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  push(text: string): void {
    let rest = text;
    while (this.line === undefined && rest !== '') {
      const end = rest.indexOf('\n');
      this.#take(end === -1 ? rest : rest.slice(0, end));
      if (end === -1) return;
      this.#end();
      rest = rest.slice(end + 1);
    }
  }

  #take(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length > this.#most) this.#end();
  }

  #end(): void {
    const line = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    if (line.trim() !== '') this.line ??= line;
  }
}

type CommandTarget = Extract<ProbeTarget, { kind: 'command' }>;
type Framing = NonNullable<CommandTarget['framing']>;

/** How long a command may take to say its first word, in milliseconds. */
const patienceMs = 8000;
/** After this long it may have been asked in the wrong way. */
const doubtMs = 2000;

const longestLine = limits.command.probedLine.value;

/** What a process did when it was asked something. */
interface Observed {
  how: 'answered' | 'noise' | 'ended' | 'silent';
  /** The line that is no message, or the end of stderr. */
  text: string;
  framing?: Framing;
}

/** Starts a command, asks it something, and says what is wrong with what it writes to stdout, if anything. */
export async function checkProcess(target: CommandTarget, words: ProbeWords): Promise<string> {
  const { framing = 'newline' } = target;
  const stop = new AbortController();
  const asked = observe(target, { framing, words, forMs: patienceMs, signal: stop.signal });
  if ((await Promise.race([asked, after(doubtMs)])) === undefined) {
    const other = framing === 'newline' ? 'content-length' : 'newline';
    const again = await observe(target, { framing: other, words, forMs: doubtMs, signal: stop.signal });
    if (again.how === 'answered' && (await Promise.race([asked, after(0)])) === undefined) {
      stop.abort();
      await asked;
      throw wrongFraming(other);
    }
  }
  const seen = await asked;
  if (seen.how === 'answered' && seen.framing === framing) return 'answers with messages and nothing else';
  if (seen.how === 'silent') return 'starts, and says nothing yet';
  throw problemWith(seen);
}

function problemWith({ how, text, framing }: Observed): Problem {
  if (how === 'noise') {
    const advice = 'Everything but messages belongs on stderr: console.error instead of console.log.';
    return new Problem('stdout-noise', `It prints on stdout what is no message: ${JSON.stringify(text)}`, advice);
  }
  if (how === 'ended') {
    const advice = 'It has to stay and read its stdin. Does it need arguments, or --env?';
    return new Problem('exits', `It ends before it answers${text}`, advice);
  }
  return wrongFraming(framing ?? 'newline');
}

function after(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), milliseconds).unref();
  });
}

function wrongFraming(framing: Framing): Problem {
  const text =
    framing === 'content-length'
      ? 'It puts a Content-Length header before each message, instead of writing one message per line'
      : 'It writes one message per line, instead of putting a Content-Length header before each';
  return new Problem('wrong-framing', text, `MCP on stdio is one message per line. Here: --framing ${framing}.`);
}

interface Asking {
  framing: Framing;
  words: ProbeWords;
  forMs: number;
  /** Ends it sooner. */
  signal: AbortSignal;
}

async function observe(target: CommandTarget, { framing, words, forMs, signal: stop }: Asking): Promise<Observed> {
  const { command, args, cwd, env = process.env } = target;
  const child = spawn(command, args, { env: { ...env }, cwd, stdio: 'pipe' });
  const question = JSON.stringify({ jsonrpc: '2.0', id: 'probe', method: 'ping' });
  const framed = framing === 'newline' ? `${question}\n` : `Content-Length: ${question.length}\r\n\r\n${question}`;
  const first = new FirstLine(longestLine);
  let stderr = '';
  const observed = new Promise<Observed>((resolve, reject) => {
    const timer = setTimeout(() => resolve({ how: 'silent', text: '' }), forMs);
    stop.addEventListener('abort', () => resolve({ how: 'silent', text: '' }), { once: true });
    child.once('close', () => clearTimeout(timer));
    child.once('error', (error) => reject(cannotStart(target, error)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      first.push(text);
      if (first.line !== undefined) resolve(look(first.line));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-2000);
    });
    child.once('close', (code, signal) => {
      first.push('\n');
      resolve(
        first.line === undefined
          ? { how: 'ended', text: ending(code, signal, words.lastWords(stderr)) }
          : look(first.line),
      );
    });
    child.stdin.on('error', () => {});
    child.stdin.write(framed);
  });
  try {
    return await observed;
  } finally {
    await end(child);
  }
}

/** What the first line says of the process that wrote it. */
function look(line: string): Observed {
  if (/^Content-(Length|Type): /i.test(line)) return { how: 'answered', text: '', framing: 'content-length' };
  if (line.length > longestLine) {
    return { how: 'noise', text: `${line.slice(0, 200)}… (a line of more than ${longestLine} characters)` };
  }
  if (!isMessage(line)) return { how: 'noise', text: line.slice(0, 200) };
  return { how: 'answered', text: '', framing: 'newline' };
}

function isMessage(line: string): boolean {
  try {
    return (JSON.parse(line) as { jsonrpc?: unknown } | null)?.jsonrpc === '2.0';
  } catch {
    return false;
  }
}

function ending(code: number | null, signal: NodeJS.Signals | null, last: string): string {
  return ` (${signal ?? `exit code ${code}`})${last === '' ? ', and says nothing on stderr' : `. It says:\n${last}`}`;
}

function cannotStart({ command }: CommandTarget, error: Error): Problem {
  const missing = 'code' in error && error.code === 'ENOENT';
  const text = missing ? `There is no program "${command}"` : `"${command}" can't be started: ${error.message}`;
  return new Problem(
    'cannot-start',
    text,
    'Is it installed, and is its folder in PATH? An absolute path always works.',
  );
}

/** Ends a process the way a client should, and then the way that works. */
async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.stdin.end();
  const timers = [setTimeout(() => child.kill('SIGTERM'), 500), setTimeout(() => child.kill('SIGKILL'), 1500)];
  await gone;
  for (const timer of timers) clearTimeout(timer);
}
