import {
  type Client,
  connect,
  type HttpAuth,
  type HttpClientOptions,
  type HttpTap,
  HttpError,
  httpTransport,
  recorded,
  spawn,
  sseTransport,
  type Transport,
} from '@ccmcp/core/client';
import { tasksClient, type TaskHandle, type TaskKeeper } from '@ccmcp/core/tasks';
import manifest from '../../../package.json' with { type: 'json' };
import { answerOptions } from '../questions/answer-options.ts';
import { Failure } from '../../command/failure.ts';
import type { ClientOptions } from '../options.ts';
import type { Output } from '../../terminal/output.ts';
import { safeJson, printStderr } from '../../terminal/print.ts';
import { showLog } from './server-log.ts';
import { serverName } from './target.ts';
import type { ServerStderr } from './server-stderr.ts';
import type { Target } from './target.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** The options of opening a client. */
export interface Opening {
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

/** The refusals by which a server of the oldest HTTP transport answers a POST to its address. */
const legacyStatuses = new Set([400, 404, 405]);

/** Connects to a target, also where that speaks the HTTP transport of the first revision. */
export async function openClient(opening: Opening): Promise<Client> {
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
  { options, output, isProbe, auth: given, signal }: Opening,
  url: URL,
): Promise<Pick<HttpClientOptions, 'auth'>> {
  const isGiven = Object.keys(options.headers).some((name) => /^(authorization|x-api-)/i.test(name));
  if (isGiven || (isProbe === true && given === undefined)) return {};
  const { signIn } = await import('./sign-in.ts');
  const auth = given ?? (await signIn({ output, url, signal }));
  return auth === undefined ? {} : { auth };
}

async function connectOver(
  transport: Transport,
  { target, options, output, terminal, signal, onClose, isProbe }: Opening,
): Promise<Client> {
  const keeper = taskKeeperFor(target, options);
  const seen = options.verbose
    ? recorded(transport, (sender, message) =>
        output.note(`${sender === 'client' ? '-->' : '<--'} ${safeJson(message)}`),
      )
    : transport;
  return connect(seen, {
    clientInfo: { name: 'ccmcp', version: manifest.version },
    era: options.era,
    extensions: [{ id: 'io.modelcontextprotocol/skills' }, tasksClient(keeper && { keeper })],
    timeoutMs: options.timeoutMs,
    signal,
    ...(isProbe === undefined && (await answerOptions(options, terminal))),
    ...(onClose && { onClose }),
    onLog: (message) => showLog(message, options, output),
    onWarning: (text) => output.note(`Warning: ${text}`),
  });
}

function commandTransport(target: Extract<Target, { kind: 'command' }>, { options, stderr }: Opening): Transport {
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

/** A started command gets the environment of the shell. */
function shellEnvironment(): Record<string, string> {
  const set = Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return Object.fromEntries(set);
}

/**
 * Where the tasks of this user at a server are kept, apart for each login. Undefined for a server that the command starts: its
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
