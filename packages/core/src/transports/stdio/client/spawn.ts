import type * as ChildProcesses from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { builtIn, hasNode } from '../../../runtime/kind.ts';
import { ConnectionError } from '../../../client/errors.ts';
import type { Receiver, Transport } from '../../../client/transport.ts';
import { createFraming } from '../../../jsonrpc/framing/detect.ts';
import type { Framing } from '../../../jsonrpc/framing/framing.ts';
import { encode, type Message, parse, type Parsed } from '../../../jsonrpc/message.ts';
import { terminateChild } from './child-process.ts';
import { safeEnvironment } from './child-process.ts';
import { StderrTail } from './child-process.ts';
import { limits } from '../../../limits.ts';

/** How a server is started and talked to. */
export interface SpawnOptions {
  /** What errors call the server. Default: the command. */
  name?: string;
  /** More for the environment. Of ours it gets only what programs need to run, such as PATH and HOME. */
  env?: Record<string, string>;
  cwd?: string;
  /** How messages are told apart. Default: one per line. */
  framing?: 'newline' | 'content-length';
  /** What happens to the server's stderr. Default: the end of it is kept, for errors to quote. */
  stderr?: 'collect' | 'inherit' | 'ignore' | ((text: string) => void);
  /** The longest message taken, in bytes. Default: 64 MiB. */
  maxMessage?: number;
  /** How long each step of ending the server may take, in milliseconds. Default: 2000. */
  graceMs?: number;
  /** Sees every message as it is written, also what is none: for tools that show it to people. */
  tap?: (sender: 'client' | 'server', text: string) => void;
}

const maxUnsent = limits.clientStdio.unsent.value;
/** So many lines that are no messages are told about. */
const MAX_WARNINGS = 10;
/** So many characters of such a line are shown. */
const MAX_SHOWN = 200;

/** Runs a server as a child process and talks to it over its stdin and stdout. It ends when the client does. */
export function spawn(command: string, args: readonly string[] = [], options: SpawnOptions = {}): Transport {
  const { name = command, framing: framingName = 'newline' } = options;
  const { maxMessage = limits.clientStdio.maxMessage.value, graceMs = limits.clientStdio.graceMs.value } = options;
  let child: ChildProcessWithoutNullStreams | undefined;
  let framing: Framing;
  let unsent = '';
  let noise: string | undefined;
  let deaf = false;
  let stderr = new StderrTail(options.stderr ?? 'collect');
  const trouble = (): string | undefined => describeTrouble(noise, stderr.text);
  let isClosed = false;

  async function start(receiver: Receiver): Promise<void> {
    isClosed = false;
    const { spawn: spawnChild } = builtIn('node:child_process') ?? (await childProcesses());
    if (isClosed) throw new ConnectionError(`The client was closed before "${name}" was started`);
    framing = createFraming(framingName, maxMessage);
    noise = undefined;
    deaf = false;
    stderr = new StderrTail(options.stderr ?? 'collect');
    const env = { ...safeEnvironment(), ...options.env };
    const started = spawnChild(command, args, { cwd: options.cwd, env, stdio: 'pipe', windowsHide: true });
    child = started;
    const onNoise = (line: string): void => {
      noise ??= line;
    };
    const read = reader(framing, receiver, { tap: options.tap, onNoise });
    started.stdout.on('data', (chunk: Buffer) => {
      framing.push(chunk);
      read();
    });
    started.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    // A server that is gone is told about by its exit.
    started.stdin.on('error', () => {});
    started.once('close', (code, signal) => {
      if (child === started) child = undefined;
      const why = trouble();
      const message = `The server "${name}" ${deaf ? notReading : describeExit(code, signal)}`;
      receiver.closed(new ConnectionError(why === undefined ? message : `${message}. ${why}`));
    });
    await isRunning(started).catch((error: unknown) => {
      child = undefined;
      throw error;
    });
  }

  /** Messages of one turn go out in one write. */
  function flush(): void {
    const text = unsent;
    unsent = '';
    if (child?.stdin.writable !== true) return;
    child.stdin.write(text);
    // Whoever asks and never reads the answers would fill our memory with them.
    if (child.stdin.writableLength > maxUnsent) {
      deaf = true;
      void terminateChild(child, graceMs);
    }
  }

  return {
    streamPerRequest: false,
    kind: 'stdio',
    start,
    send(message: Message) {
      if (child === undefined) return Promise.reject(new ConnectionError(`The server "${name}" is not running`));
      if (unsent === '') queueMicrotask(flush);
      unsent += framing.frame(encodeMessage(message, options.tap));
      return undefined;
    },
    trouble,
    async close(given = graceMs) {
      isClosed = true;
      if (child === undefined) return;
      flush();
      await terminateChild(child, Math.min(given, graceMs));
    },
  };
}

function encodeMessage(message: Message, tap: SpawnOptions['tap']): string {
  const text = encode(message);
  tap?.('client', text);
  return text;
}

/** Those of Node, where they have to be waited for. */
async function childProcesses(): Promise<typeof ChildProcesses> {
  if (hasNode) return import('node:child_process');
  throw new ConnectionError('This runtime starts no programs: reach the server by httpTransport instead');
}

function isRunning(started: ChildProcessWithoutNullStreams): Promise<void> {
  return new Promise((resolve, reject) => {
    started.once('spawn', resolve);
    started.once('error', (error) => {
      reject(new ConnectionError(`The server could not be started: ${error.message}`, { cause: error }));
    });
  });
}

const notReading = 'was ended, since it does not read what it is sent';

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `ended with code ${code}` : `ended by ${signal}`;
}

/** What a server has said that may explain why it does not answer. */
function describeTrouble(noise: string | undefined, stderr: string): string | undefined {
  const printed = noise === undefined ? [] : [`It printed what is no message: ${JSON.stringify(noise)}`];
  const said = stderr.trim();
  const all = said === '' ? printed : [...printed, `Its stderr ends with: ${said}`];
  return all.length === 0 ? undefined : all.join('. ');
}

/** Hands on the messages that have come. What is none is told about, but not without end. */
function reader(
  framing: Framing,
  receiver: Receiver,
  { tap, onNoise }: { tap: SpawnOptions['tap'] | undefined; onNoise: (line: string) => void },
): () => void {
  let warnings = 0;
  const complain = (line: string, why: string): void => {
    const shown = line.slice(0, MAX_SHOWN);
    onNoise(shown);
    warnings += 1;
    if (warnings <= MAX_WARNINGS) receiver.warn(`The server printed what is no message (${why}): ${shown}`);
  };
  return () => {
    for (let item = framing.next(); item !== undefined; item = framing.next()) {
      if (typeof item === 'string') {
        tap?.('server', item);
        handleParsed(parse(item), item, receiver, complain);
      } else complain('', item.message);
    }
  };
}

function handleParsed(
  parsed: Parsed,
  line: string,
  receiver: Receiver,
  complain: (line: string, why: string) => void,
): void {
  if (parsed.kind === 'batch') for (const item of parsed.items) handleParsed(item, line, receiver, complain);
  else if (parsed.kind === 'invalid') complain(line, parsed.answer.error.message);
  else receiver.receive(parsed.message);
}
