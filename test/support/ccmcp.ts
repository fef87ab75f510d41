import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Host } from '../../packages/cli/src/host.ts';
import { McpClient } from './mcp-client.ts';
import { type ChildWire, childWire, type Framing } from './wires.ts';

/** The command in a clone. */
export const launcher = fileURLToPath(new URL('../../ccmcp', import.meta.url));

export const handshakeVersions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
export const statelessVersion = '2026-07-28';

/** An empty folder that is removed after the test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-e2e-'));
  // A program of the test that is exiting may still write to it.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

export interface StartOptions {
  version?: string;
  framing?: Framing;
  args?: string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/** Starts `./ccmcp` with a connected client, until the test ends. */
export function start(options: StartOptions = {}): { client: McpClient; wire: ChildWire } {
  const { version = '2025-11-25', args = [], ...rest } = options;
  const wire = childWire(launcher, args, rest);
  onTestFinished(() => wire.close());
  return { client: new McpClient(wire, { version }), wire };
}

/** Starts `./ccmcp` and runs the handshake. */
export async function connect(options: StartOptions = {}): Promise<{ client: McpClient; wire: ChildWire }> {
  const started = start(options);
  await started.client.initialize();
  return started;
}

/** The text of a tool's result; that of a failed call begins with `failed: `. */
export async function callTool(client: McpClient, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content, isError } = await client.request('tools/call', { name, arguments: args });
  return `${isError === true ? 'failed: ' : ''}${content[0].text}`;
}

/** The names of the tools, as listed. */
export async function toolNames(client: McpClient): Promise<string[]> {
  const { tools } = await client.request('tools/list');
  return tools.map((tool: { name: string }) => tool.name);
}

export interface RunOptions {
  /** The complete stdin. */
  input?: string | Uint8Array;
  /** More environment variables. */
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

/** Exit code and output of a command. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command in this process, from source, on streams of its own: neither a terminal nor a pipe. Servers own their
 * process and need `runProcess`, as do tests of pipes, signals and exits.
 */
export async function run(args: string[], { input = '', ...around }: RunOptions = {}): Promise<Ended> {
  const stdout = collectingStream();
  const stderr = collectingStream();
  const code = await runOn(args, {
    stdin: Readable.from(input.length === 0 ? [] : [Buffer.from(input)]) as unknown as NodeJS.ReadStream,
    stdout: stdout.stream,
    stderr: stderr.stream,
    signals: new EventEmitter(),
    ...around,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** The environment of a command in this process. */
export interface Around extends Pick<Host, 'stdin' | 'stdout' | 'stderr'>, Omit<RunOptions, 'input'> {
  signals: EventEmitter;
}

/** The last command in the queue. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process. Commands run one at a time: they share the environment and the working directory.
 */
export function runOn(args: string[], around: Around): Promise<number> {
  const ended = last.then(() => runNow(args, around));
  last = ended.catch(() => {});
  return ended;
}

async function runNow(args: string[], { env = {}, cwd, signals, ...streams }: Around): Promise<number> {
  if (await serves(args)) throw new Error(`"ccmcp ${args.join(' ')}" serves: use runProcess`);
  const [{ runCommand }, { useHost }] = await Promise.all([
    import('../../packages/cli/src/run-command.ts'),
    import('../../packages/cli/src/host.ts'),
  ]);
  const undo = changeProcess(env, cwd);
  useHost({ ...streams, signals, interrupt: () => void signals.emit('SIGINT'), script: launcher });
  try {
    return (await runCommand(args)) ?? 0;
  } finally {
    useHost();
    undo();
  }
}

/** Whether a command line starts a server, if it is valid. */
async function serves(args: string[]): Promise<boolean> {
  const { parseServeOptions } = await import('../../packages/cli/src/servers/serve-options.ts');
  const { commands } = await import('../../packages/cli/src/commands.ts');
  const { findCommand } = await import('../../packages/cli/src/command/command.ts');
  const [first = '', file = '', ...rest] = args;
  const servesFile = first === 'serve' && /^[^-]/.test(file);
  if (!servesFile && (findCommand(args, commands) !== undefined || first === 'help' || first === 'version'))
    return false;
  return parseServeOptions(servesFile ? rest.filter((arg) => arg !== '--watch') : args, {}).kind === 'serve';
}

/** A stream that stores what is written to it; its descriptor is neither a file nor a terminal. */
function collectingStream(): { stream: NodeJS.WriteStream & { fd: number }; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  nowhere ??= openSync(devNull, 'w');
  return {
    stream: Object.assign(stream, { fd: nowhere }) as unknown as NodeJS.WriteStream & { fd: number },
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}

let nowhere: number | undefined;

/** Changes the process for a command; returns a function that restores it. */
function changeProcess(env: NodeJS.ProcessEnv, cwd: string | undefined): () => void {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  const folder = process.cwd();
  setVariables(Object.entries(env));
  if (cwd !== undefined) process.chdir(cwd);
  return () => {
    process.chdir(folder);
    setVariables(before);
  };
}

function setVariables(variables: readonly (readonly [string, string | undefined])[]): void {
  for (const [name, value] of variables) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

/** Runs `./ccmcp` in its own process, with a complete input, like a shell pipe. */
export async function runProcess(args: string[], { input = '', env, cwd }: RunOptions = {}): Promise<Ended> {
  const child = spawn(launcher, args, { cwd, env: { ...process.env, ...env }, stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}
