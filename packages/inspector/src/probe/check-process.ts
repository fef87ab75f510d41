import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { isRecord, tryParseJson } from '../shared/json.ts';
import { Problem } from './report.ts';
import type { CommandTarget } from './target.ts';
import type { ProbeTexts } from './texts.ts';

/** Collects text until the first non-blank line is complete or too long. */
export class FirstLineReader {
  /** That line, truncated if too long. Later text is dropped. */
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

type Framing = NonNullable<CommandTarget['framing']>;

/** Timeout of the first output, in milliseconds. */
const timeoutMs = 8000;
/** After this time the other framing is tried. */
const framingTimeoutMs = 2000;

/** Maximum length of the first line. */
const maxLineLength = 1024 * 1024;

/** The outcome of a request to a process. */
interface Observation {
  how: 'answered' | 'noise' | 'ended' | 'silent';
  /** The line that is no message, or the end of stderr. */
  text: string;
  framing?: Framing;
}

/** Starts a command, sends a request, and checks what it writes to stdout. */
export async function checkProcess(target: CommandTarget, texts: ProbeTexts): Promise<string> {
  const { framing = 'newline' } = target;
  const abort = new AbortController();
  const asked = observe(target, { framing, texts, forMs: timeoutMs, signal: abort.signal });
  if ((await Promise.race([asked, delay(framingTimeoutMs)])) === undefined) {
    const other = framing === 'newline' ? 'content-length' : 'newline';
    const again = await observe(target, { framing: other, texts, forMs: framingTimeoutMs, signal: abort.signal });
    if (again.how === 'answered' && (await Promise.race([asked, delay(0)])) === undefined) {
      abort.abort();
      await asked;
      throw framingProblem(other);
    }
  }
  const seen = await asked;
  if (seen.how === 'answered' && seen.framing === framing) return 'answers with messages and nothing else';
  if (seen.how === 'silent') return 'starts, and says nothing yet';
  throw toProblem(seen);
}

function toProblem({ how, text, framing }: Observation): Problem {
  if (how === 'noise') {
    const advice = 'Everything but messages belongs on stderr: console.error instead of console.log.';
    return new Problem('stdout-noise', `It prints on stdout what is no message: ${JSON.stringify(text)}`, advice);
  }
  if (how === 'ended') {
    const advice = 'It has to stay and read its stdin. Does it need arguments, or --env?';
    return new Problem('exits', `It ends before it answers${text}`, advice);
  }
  return framingProblem(framing ?? 'newline');
}

function delay(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), milliseconds).unref();
  });
}

function framingProblem(framing: Framing): Problem {
  const text =
    framing === 'content-length'
      ? 'It puts a Content-Length header before each message, instead of writing one message per line'
      : 'It writes one message per line, instead of putting a Content-Length header before each';
  return new Problem('wrong-framing', text, `MCP on stdio is one message per line. Here: --framing ${framing}.`);
}

interface ObserveOptions {
  framing: Framing;
  texts: ProbeTexts;
  forMs: number;
  /** Stops it early. */
  signal: AbortSignal;
}

async function observe(
  target: CommandTarget,
  { framing, texts, forMs, signal: abort }: ObserveOptions,
): Promise<Observation> {
  const { command, args, cwd, env = process.env } = target;
  const child = spawn(command, args, { env: { ...env }, cwd, stdio: 'pipe' });
  const question = JSON.stringify({ jsonrpc: '2.0', id: 'probe', method: 'ping' });
  const framed = framing === 'newline' ? `${question}\n` : `Content-Length: ${question.length}\r\n\r\n${question}`;
  const first = new FirstLineReader(maxLineLength);
  let stderr = '';
  const observed = new Promise<Observation>((resolve, reject) => {
    const timer = setTimeout(() => resolve({ how: 'silent', text: '' }), forMs);
    abort.addEventListener('abort', () => resolve({ how: 'silent', text: '' }), { once: true });
    child.once('close', () => clearTimeout(timer));
    child.once('error', (error) => reject(startProblem(target, error)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      first.push(text);
      if (first.line !== undefined) resolve(classifyLine(first.line));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-2000);
    });
    child.once('close', (code, signal) => {
      first.push('\n');
      resolve(
        first.line === undefined
          ? { how: 'ended', text: describeExit(code, signal, texts.stderrTail(stderr)) }
          : classifyLine(first.line),
      );
    });
    child.stdin.on('error', () => {});
    child.stdin.write(framed);
  });
  try {
    return await observed;
  } finally {
    await stopProcess(child);
  }
}

/** Classifies the first line. */
function classifyLine(line: string): Observation {
  if (/^Content-(Length|Type): /i.test(line)) return { how: 'answered', text: '', framing: 'content-length' };
  if (line.length > maxLineLength) {
    return { how: 'noise', text: `${line.slice(0, 200)}… (a line of more than ${maxLineLength} characters)` };
  }
  if (!isMessage(line)) return { how: 'noise', text: line.slice(0, 200) };
  return { how: 'answered', text: '', framing: 'newline' };
}

function isMessage(line: string): boolean {
  const value = tryParseJson(line);
  return isRecord(value) && value.jsonrpc === '2.0';
}

function describeExit(code: number | null, signal: NodeJS.Signals | null, last: string): string {
  return ` (${signal ?? `exit code ${code}`})${last === '' ? ', and says nothing on stderr' : `. It says:\n${last}`}`;
}

function startProblem({ command }: CommandTarget, error: Error): Problem {
  const missing = 'code' in error && error.code === 'ENOENT';
  const text = missing ? `There is no program "${command}"` : `"${command}" can't be started: ${error.message}`;
  return new Problem(
    'cannot-start',
    text,
    'Is it installed, and is its folder in PATH? An absolute path always works.',
  );
}

/** Stops a process: closes stdin first, then escalates to signals. */
async function stopProcess(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.stdin.end();
  const timers = [setTimeout(() => child.kill('SIGTERM'), 500), setTimeout(() => child.kill('SIGKILL'), 1500)];
  await exited;
  for (const timer of timers) clearTimeout(timer);
}
