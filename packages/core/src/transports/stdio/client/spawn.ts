import type * as ChildProcesses from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { builtIn, hasNode } from '../../../runtime/kind.ts';
import { ConnectionError } from '../../../client/errors.ts';
import { toMalformedAnswer } from '../../../client/malformed-answer.ts';
import type { Receiver, Transport } from '../../../client/transport.ts';
import { createFraming } from '../../../jsonrpc/framing/detect.ts';
import type { Framing } from '../../../jsonrpc/framing/framing.ts';
import { encode, type Message, type Parsed } from '../../../jsonrpc/message.ts';
import { parse } from '../../../jsonrpc/parse.ts';
import { safeEnvironment, StderrTail, terminateChild } from './child-process.ts';
import { OversizeAnswers } from './oversize-answer.ts';
import { WriteBatch } from './write-batch.ts';
import { limits } from '../../../limits.ts';

/** Options of `spawn`. */
export interface SpawnOptions {
  /** The server's name in errors. Default: the command. */
  name?: string;
  /** Extra environment variables. Of ours, the server gets only what programs need, such as PATH and HOME. */
  env?: Record<string, string>;
  cwd?: string;
  /** The message framing. Default: one per line. */
  framing?: 'newline' | 'content-length';
  /** The handling of the server's stderr. Default: its end is buffered for error messages. */
  stderr?: 'collect' | 'inherit' | 'ignore' | ((text: string) => void);
  /** The longest message accepted, in bytes. Default: 64 MiB. */
  maxMessage?: number;
  /** The grace period of each shutdown step, in milliseconds. Default: 2000. */
  graceMs?: number;
  /** Sees every line in both directions, including invalid ones: for debugging tools. */
  tap?: (sender: 'client' | 'server', text: string) => void;
}

/** The maximum of unread messages, in bytes; above it, the server is terminated. */
const maxUnsent = 64 * 1024 * 1024;
/** How many invalid lines are reported. */
const MAX_WARNINGS = 10;
/** How much of an invalid line is shown. */
const MAX_SHOWN = 200;

/** Runs a server as a child process and connects to its stdin and stdout. The server ends with the client. */
export function spawn(command: string, args: readonly string[] = [], options: SpawnOptions = {}): Transport {
  assertCommand(command, args);
  const { name = command, framing: framingName = 'newline' } = options;
  const { maxMessage = limits.clientStdio.maxMessage.value, graceMs = limits.clientStdio.graceMs.value } = options;
  let child: ChildProcessWithoutNullStreams | undefined;
  let framing: Framing;
  const unsent = new WriteBatch(flush);
  let invalidOutput: string | undefined;
  let stopReason: string | undefined;
  let stderr = new StderrTail(options.stderr ?? 'collect');
  const diagnostics = (): string | undefined => describeOutput(invalidOutput, stderr.text);
  let isClosed = false;

  async function start(receiver: Receiver): Promise<void> {
    isClosed = false;
    const { spawn: spawnChild } = builtIn('node:child_process') ?? (await childProcesses());
    if (isClosed) throw new ConnectionError(`The client was closed before "${name}" was started`);
    framing = createFraming(framingName, maxMessage);
    invalidOutput = undefined;
    stopReason = undefined;
    stderr = new StderrTail(options.stderr ?? 'collect');
    const env = { ...safeEnvironment(), ...options.env };
    const started = spawnChild(command, args, { cwd: options.cwd, env, stdio: 'pipe', windowsHide: true });
    child = started;
    const onInvalid = (line: string): string => (invalidOutput ??= line);
    const read = reader(framing, receiver, { tap: options.tap, onInvalid, maxMessage });
    started.stdout.on('data', (chunk: Buffer) => {
      unsent.onRead();
      framing.push(chunk);
      read();
    });
    // The process may live on, but nothing can come any more.
    started.stdout.once('end', () => stop(started, notWriting));
    started.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    // The exit of the process is reported instead.
    started.stdin.on('error', () => {});
    started.once('close', (code, signal) => {
      if (child === started) child = undefined;
      const ending = (started.killed ? stopReason : undefined) ?? describeExit(code, signal);
      receiver.closed(toConnectionError(`The server "${name}" ${ending}`, diagnostics()));
    });
    await isRunning(started).catch((error: unknown) => {
      child = undefined;
      throw error;
    });
  }

  /** Writes the messages that are there. */
  function flush(): void {
    const text = unsent.take();
    if (text === '' || child?.stdin.writable !== true) return;
    child.stdin.write(text);
    // A server that never reads its answers would fill our memory.
    if (child.stdin.writableLength > maxUnsent) stop(child, notReading);
  }

  function stop(running: ChildProcessWithoutNullStreams, reason: string): void {
    stopReason ??= reason;
    void terminateChild(running, graceMs);
  }

  return {
    streamPerRequest: false,
    kind: 'stdio',
    start,
    send(message: Message) {
      if (child === undefined) return Promise.reject(new ConnectionError(`The server "${name}" is not running`));
      unsent.add(framing.frame(encodeMessage(message, options.tap)));
      return undefined;
    },
    diagnostics,
    async close(given = graceMs) {
      isClosed = true;
      if (child === undefined) return;
      flush();
      await terminateChild(child, Math.min(given, graceMs));
    },
  };
}

function assertCommand(command: unknown, args: unknown): void {
  if (typeof command === 'string' && Array.isArray(args)) return;
  throw new TypeError("spawn needs a command and an array of arguments: spawn('node', ['server.js'], options)");
}

function encodeMessage(message: Message, tap: SpawnOptions['tap']): string {
  const text = encode(message);
  tap?.('client', text);
  return text;
}

/** Loads `node:child_process`. */
async function childProcesses(): Promise<typeof ChildProcesses> {
  if (hasNode) return import('node:child_process');
  throw new ConnectionError('This runtime can not start programs: use httpTransport instead');
}

function isRunning(started: ChildProcessWithoutNullStreams): Promise<void> {
  return new Promise((resolve, reject) => {
    started.once('spawn', resolve);
    started.once('error', (error) => {
      reject(new ConnectionError(`The server could not be started: ${error.message}`, { cause: error }));
    });
  });
}

const notReading = 'was killed, since it does not read its input';
const notWriting = 'was stopped, since it closed its stdout';

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `ended with code ${code}` : `ended by ${signal}`;
}

function toConnectionError(message: string, why: string | undefined): ConnectionError {
  return new ConnectionError(why === undefined ? message : `${message}. ${why}`);
}

/** Output of the server that may explain why it does not answer. */
function describeOutput(invalidOutput: string | undefined, stderr: string): string | undefined {
  const printed =
    invalidOutput === undefined ? [] : [`It printed an invalid message: ${JSON.stringify(invalidOutput)}`];
  const tail = stderr.trim();
  const all = tail === '' ? printed : [...printed, `Its stderr ends with: ${tail}`];
  return all.length === 0 ? undefined : all.join('. ');
}

interface ReaderOptions {
  readonly tap: SpawnOptions['tap'] | undefined;
  readonly maxMessage: number;
  onInvalid(line: string): void;
}

/** Delivers parsed messages. Invalid lines are reported, up to a limit. */
function reader(framing: Framing, receiver: Receiver, { tap, onInvalid, maxMessage }: ReaderOptions): () => void {
  const oversize = new OversizeAnswers(maxMessage, (answer) => receiver.receive(answer));
  framing.onSkipped = (end) => oversize.onEnd(end);
  let warnings = 0;
  const report = (line: string, why: string): void => {
    const shown = line.slice(0, MAX_SHOWN);
    onInvalid(shown);
    warnings += 1;
    if (warnings <= MAX_WARNINGS) receiver.warn(`The server printed an invalid message (${why}): ${shown}`);
  };
  return () => {
    for (let item = framing.next(); item !== undefined; item = framing.next()) {
      if (typeof item === 'string') {
        tap?.('server', item);
        handleParsed(parse(item), item, receiver, report);
      } else {
        report('', item.message);
        if (item.problem === 'oversize') oversize.onStart(item);
      }
    }
  };
}

function handleParsed(
  parsed: Parsed,
  line: string,
  receiver: Receiver,
  report: (line: string, why: string) => void,
): void {
  if (parsed.kind === 'batch') for (const item of parsed.items) handleParsed(item, line, receiver, report);
  else if (parsed.kind === 'invalid') {
    report(line, parsed.answer.error.message);
    const answer = toMalformedAnswer(line);
    if (answer !== undefined) receiver.receive(answer);
  } else receiver.receive(parsed.message);
}
