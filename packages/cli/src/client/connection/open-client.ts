import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Client,
  connect,
  type ConnectOptions,
  type HttpAuth,
  type HttpClientOptions,
  type HttpTap,
  HttpError,
  httpTransport,
  recorded,
  spawn,
  sseTransport,
  type Transport,
  type LogMessage,
  ConnectionError,
  TimeoutError,
} from '@ccmcp/core/client';
import type { HeldBack } from '@ccmcp/core/contracts';
import { tasksClient, type TaskHandle, type TaskKeeper } from '@ccmcp/core/tasks';
import { type LogLevel, logLevels } from '@ccmcp/core';
import manifest from '../../../package.json' with { type: 'json' };
import { answerOptions } from '../questions/ask.ts';
import { Failure } from '../../command/failure.ts';
import type { ClientOptions } from '../options.ts';
import type { Output } from '../../terminal/output.ts';
import { safeJson, printStderr, toOneLine, type Style } from '../../terminal/print.ts';
import { serverName, type Target } from './target.ts';
import type { ServerStderr } from './server-stderr.ts';
import { type Terminal, processTerminal } from '../../terminal/terminal.ts';
import { host } from '../../host.ts';
import type { Context, Run } from '../context.ts';
import { processDataSource } from '../arguments/data-source.ts';
import { scriptIn } from '../../system/program.ts';
import { hasCredentials } from '../../config/server-entry.ts';
import { shellEnvironment } from '../../system/environment.ts';

/** The options of opening a client. */
export interface OpenClientRequest {
  target: Target;
  options: ClientOptions;
  output: Output;
  terminal: Terminal;
  signal: AbortSignal;
  /** A probe answers no questions. */
  isProbe?: true;
  /** Authorizes requests. Default: the stored login, or an interactive sign-in. */
  auth?: HttpAuth;
  onClose?: (reason: Error) => void;
  /** Receives the stderr of a started server. */
  stderr?: ServerStderr;
  /** Sees the requests that are made over HTTP. */
  tap?: HttpTap;
}

/** The status codes with which a server of the HTTP+SSE transport rejects a POST to its URL. */
const legacyStatuses = new Set([400, 404, 405]);

/** Connects to a target. Falls back to the HTTP+SSE transport of the first revision. */
export async function openClient(opening: OpenClientRequest): Promise<Client> {
  const { target, options } = opening;
  if (target.kind === 'command') return connectOver(commandTransport(target, opening), opening);
  const { tap } = opening;
  const http = { headers: options.headers, ...(await resolveAuth(opening, target.url)), ...(tap && { tap }) };
  try {
    return await connectOver(httpTransport(target.url.href, http), opening);
  } catch (error) {
    const tryOld = error instanceof HttpError && legacyStatuses.has(error.status) && options.era !== 'stateless';
    if (!tryOld) throw error;
    try {
      return await connectOver(sseTransport(target.url.href, http), opening);
    } catch {
      throw error;
    }
  }
}

/** Explicit credentials replace the stored login and the sign-in. */
async function resolveAuth(
  { options, output, isProbe, auth: given, signal }: OpenClientRequest,
  url: URL,
): Promise<Pick<HttpClientOptions, 'auth'>> {
  if (hasCredentials(options.headers) || (isProbe === true && given === undefined)) return {};
  const { signIn } = await import('../sign-in/sign-in.ts');
  const auth = given ?? (await signIn({ output, url, signal }));
  return auth === undefined ? {} : { auth };
}

async function connectOver(
  transport: Transport,
  { target, options, output, terminal, signal, onClose, isProbe }: OpenClientRequest,
): Promise<Client> {
  const keeper = taskKeeperFor(target, options);
  const seen = options.verbose
    ? recorded(transport, (sender, message) =>
        output.note(`${sender === 'client' ? '-->' : '<--'} ${safeJson(message)}`),
      )
    : transport;
  const held: HeldBack[] = [];
  const locked = await lockOptions(options, target, (each) => {
    held.push(each);
    output.note(`Held back, because it differs from the lock: ${toOneLine(`${each.item} ${each.name}`)}`);
  });
  const client = await connect(seen, {
    clientInfo: { name: 'ccmcp', version: manifest.version },
    era: options.era,
    extensions: [{ id: 'io.modelcontextprotocol/skills' }, tasksClient(keeper && { keeper })],
    timeoutMs: options.timeoutMs,
    signal,
    ...locked,
    ...(isProbe === undefined && (await answerOptions(options, terminal))),
    ...(onClose && { onClose }),
    // An interrupted command prints one line: that it was interrupted.
    onLog: (message) => {
      if (!signal.aborted) showLog(message, options, output);
    },
    onWarning: (text) => {
      if (!signal.aborted) output.note(`Warning: ${text}`);
    },
  });
  heldBack.set(client, held);
  return client;
}

/** What `--lock` holds back. */
const heldBack = new WeakMap<Client, readonly HeldBack[]>();

/** Throws if the definition of this name is held back: it is not listed, as if the server did not have it. */
export async function assertNotHeldBack(client: Client, item: HeldBack['item'], name: string): Promise<void> {
  const held = heldBack.get(client)?.findLast((each) => each.item === item && each.name === name);
  if (held === undefined) return;
  const { HeldBackError } = await import('@ccmcp/core/contracts');
  throw new HeldBackError(held.changes);
}

async function lockOptions(
  { lock, as }: ClientOptions,
  target: Target,
  onHeldBack: (held: HeldBack) => void,
): Promise<Pick<ConnectOptions, 'lock' | 'onHeldBack'>> {
  if (lock === undefined) return {};
  const { readLockedServer } = await import('./lock-file.ts');
  return { lock: await readLockedServer(lock, as ?? target.label), onHeldBack };
}

function commandTransport(
  target: Extract<Target, { kind: 'command' }>,
  { options, stderr }: OpenClientRequest,
): Transport {
  const { command, args, cwd } = target;
  if (Object.keys(options.headers).length > 0) throw new Failure('usage', '--header is for URLs: a command gets --env');
  return spawn(command, args, {
    env: { ...shellEnvironment(), ...options.env },
    framing: options.framing,
    name: serverName(target),
    ...(cwd !== undefined && { cwd }),
    stderr: options.verbose ? printStderr : (text) => stderr?.push(text),
  });
}

/**
 * Stores the tasks of this user at a server, separately for each login. Undefined for a server that the command starts: its
 * tasks end with it.
 */
function taskKeeperFor(target: Target, { headers }: Pick<ClientOptions, 'headers'>): TaskKeeper | undefined {
  if (target.kind !== 'url') return undefined;
  const { url } = target;
  // Loaded when there is a task: hardly any command needs it.
  const file = async () => (await import('../tasks/task-file.ts')).openTaskFile(url, headers);
  return {
    put: async (handle: TaskHandle) => (await file()).put(handle),
    delete: async (taskId: string) => (await file()).delete(taskId),
    list: async () => (await file()).list(),
  };
}

/** The default level. */
const defaultLevel: LogLevel = 'info';

const requested = new WeakSet<Client>();

/**
 * Sets the log level of the server once: the level of the command line, or the default on a terminal. Scripts get the
 * default level of the server. Errors are ignored.
 */
export async function requestLogLevel(client: Client, { logLevel, json }: ClientOptions): Promise<void> {
  const level = logLevel ?? (host.stderr.isTTY && !json ? defaultLevel : undefined);
  if (level === undefined || client.capabilities.logging === undefined || requested.has(client)) return;
  requested.add(client);
  await client.setLogLevel(level).catch(() => {});
}

/** Shows a log message of the server, if it is severe enough. */
function showLog({ level, logger, data }: LogMessage, { logLevel }: ClientOptions, output: Output): void {
  if (logLevels.indexOf(level) < logLevels.indexOf(logLevel ?? defaultLevel)) return;
  const from = logger === undefined ? '' : `${toOneLine(logger)}: `;
  output.note(`[${level}] ${from}${typeof data === 'string' ? data : safeJson(data)}`, styleOf(level));
}

function styleOf(level: LogLevel): Style {
  const severity = logLevels.indexOf(level);
  if (severity >= logLevels.indexOf('error')) return 'red';
  return severity >= logLevels.indexOf('warning') ? 'yellow' : 'dim';
}

/** The grace period of a server that did not answer in time. */
const silentGraceMs = 100;

/** Runs a function with a connected client, and closes the client afterwards. */
export async function withClient(
  opening: Omit<OpenClientRequest, 'terminal'> & Pick<Context, 'typed' | 'stderr' | 'commands'>,
  use: (context: Context) => ReturnType<Run>,
): Promise<void> {
  const terminal = processTerminal();
  try {
    await useClient({ ...opening, terminal }, use);
  } finally {
    terminal.close();
  }
}

async function useClient(
  opening: OpenClientRequest & Pick<Context, 'typed' | 'stderr' | 'commands'>,
  use: (context: Context) => ReturnType<Run>,
): Promise<void> {
  let lose: (reason: Error) => void = () => {};
  const lost = new Promise<Error>((resolve) => {
    lose = resolve;
  });
  const client: Client = await openClient({ ...opening, onClose: (reason) => lose(reason) }).catch((error: unknown) =>
    Promise.reject(startFailure(error, opening.target)),
  );
  opening.stderr.connected();
  const data = processDataSource({ inShell: false, signal: opening.signal });
  const interrupted = new Promise<never>((_, reject) => {
    const { signal } = opening;
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  // The rejection is handled by the race below, or irrelevant.
  interrupted.catch(() => {});
  const context: Context = { ...opening, client, lost, data };
  let graceMs: number | undefined;
  try {
    await Promise.race([use(context), interrupted]);
  } catch (error) {
    // A server that did not answer in time is not given the full grace period to exit.
    if (error instanceof TimeoutError) graceMs = silentGraceMs;
    throw error;
  } finally {
    await context.last;
    await client.close(graceMs);
  }
}

/** Explains why a server did not start, where the cause is known; otherwise returns the error. */
export function startFailure(error: unknown, target: Target): unknown {
  if (!(error instanceof ConnectionError) || target.kind !== 'command') return error;
  const { command } = target;
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  if (cause?.code === 'ENOENT') {
    const hint = 'Is it installed, and is its folder in PATH? An absolute path always works.';
    return new Failure('unreachable', `There is no program "${command}"`, { hint, cause: error });
  }
  if (cause?.code === 'EACCES') {
    const hint = `Make it one with "chmod +x ${command}", or name the program that runs it, such as node.`;
    return new Failure('unreachable', `"${command}" is not a program that may be run`, { hint, cause: error });
  }
  const file = scriptIn(target);
  const folder = resolve(target.cwd ?? '.');
  if (file === undefined || existsSync(resolve(folder, file))) return error;
  const hint = `Paths are looked up from ${target.cwd === undefined ? 'the folder you are in, ' : ''}${folder}.`;
  return new Failure('unreachable', `There is no file ${file}`, { hint, cause: error });
}
