import { ProtocolError } from '@ccmcp/core';
import {
  type Client,
  connect,
  HttpError,
  httpTransport,
  type Listing,
  spawn,
  type Transport,
} from '@ccmcp/core/client';
import type { affectedTools } from '@ccmcp/core/client-quirks';
import manifest from '../../package.json' with { type: 'json' };
import { mayDownload } from '../system/program.ts';
import { maskValues } from '../config/file/secrets.ts';
import type { HttpEntry, ServerEntry } from '../config/server-entry.ts';
import { type Start, resolveStart } from '../config/start-command.ts';
import type { Location } from '../system/environment.ts';

/** The answer of a server to a probe. */
export interface Answer {
  /** The time from the start to the first response, in milliseconds. */
  ms: number;
  name?: string;
  version?: string;
  protocolVersion: string;
  tools: number;
  resources: number;
  prompts: number;
}

/** The answer with all tools. */
export interface FullAnswer {
  answer: Answer;
  tools: Parameters<typeof affectedTools>[1];
}

/** The server answers but requires a login, which its client handles. */
export class LoginRequiredError extends Error {}

/** The timeouts of a server. */
export interface ProbeTimeouts {
  timeoutMs: number;
  /** For commands that may have to download their program first. */
  downloadMs: number;
}

/** A server with its name in the client, and its timeouts. */
export interface Probed extends ProbeTimeouts {
  name: string;
  entry: ServerEntry;
}

/** Connects to a server, fetches its lists and closes it. Its errors are sentences. */
export async function probeEntry({ name, entry, ...timeouts }: Probed, location: Location): Promise<FullAnswer> {
  const downloads = entry.kind === 'stdio' && mayDownload(entry);
  const timeoutMs = downloads ? timeouts.downloadMs : timeouts.timeoutMs;
  const server = entry.kind === 'http' ? entry : resolveStart(entry, location);
  const secrets = Object.values('url' in server ? server.headers : server.env);
  try {
    return await ask('url' in server ? reach(server) : createTransport(server, name), timeoutMs);
  } catch (error) {
    const wantsLogin = error instanceof HttpError && error.status === 401;
    if (wantsLogin && secrets.length === 0) throw await checkLogin(server as HttpEntry, error);
    const late = downloads ? '; it may still have been downloading: try again, or give it more with --timeout' : '';
    throw new Error(maskValues(describeProbeError(error, `${timeoutMs / 1000} s${late}`), secrets), { cause: error });
  }
}

/** A server that requires a login is fine if its client can get one; otherwise the error names the metadata field to fix. */
async function checkLogin({ url, headers }: HttpEntry, cause: unknown): Promise<Error> {
  const { discoverOAuth } = await import('@ccmcp/inspector/probe');
  const faults: string[] = [];
  const server = await discoverOAuth(new URL(url), headers, ({ level, step, says, change }) => {
    if (level === 'fault') faults.push(`${step}: ${says}${change === undefined ? '' : ` -> ${change}`}`);
  }).catch(() => undefined);
  if (server === undefined || faults.length === 0)
    return new LoginRequiredError('it answers, and wants a login', { cause });
  return new Error(`it requires a login, which is impossible: ${faults.join('; ')}`, { cause });
}

function describeProbeError(error: unknown, time: string): string {
  if (error instanceof HttpError && error.status === 401)
    return 'it rejects the headers that are configured (HTTP 401)';
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${time}`;
  return error instanceof Error ? error.message : String(error);
}

async function ask(transport: Transport, timeoutMs: number): Promise<FullAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const began = performance.now();
  const connecting = connect(transport, {
    clientInfo: { name: 'ccmcp doctor', version: manifest.version },
    signal,
    timeoutMs,
    probeMs: Math.min(3000, timeoutMs / 2),
    onWarning: () => {},
  });
  const client = await withDeadline(connecting, signal);
  const ms = performance.now() - began;
  try {
    const { capabilities, serverInfo, protocolVersion } = client;
    const [tools, resources, prompts] = await Promise.all([
      capabilities.tools === undefined ? [] : fetchList('tools', client.listTools({ signal })),
      capabilities.resources === undefined ? [] : fetchList('resources', client.listResources({ signal })),
      capabilities.prompts === undefined ? [] : fetchList('prompts', client.listPrompts({ signal })),
    ]);
    const who = serverInfo && { name: serverInfo.name, version: serverInfo.version };
    const counts = { tools: tools.length, resources: resources.length, prompts: prompts.length };
    return { answer: { ms, ...who, protocolVersion, ...counts }, tools };
  } finally {
    await client.close();
  }
}

/** Fetches a list; the error of a failed one names it. */
function fetchList<T>(name: string, list: Listing<T>): Promise<T[]> {
  return list.all().catch((error: unknown) => {
    if (!(error instanceof ProtocolError)) throw error;
    throw new Error(`it answers, but can't give its list of ${name}: ${error.message} (${error.code})`, {
      cause: error,
    });
  });
}

/** Rejects at the deadline, and closes a client that connects later: a server can stall outside of requests too. */
function withDeadline(connecting: Promise<Client>, signal: AbortSignal): Promise<Client> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      connecting.then((client) => client.close()).catch(() => {});
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    connecting.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function createTransport({ command, args, env, cwd }: Start, name: string): Transport {
  return spawn(command, args, { env, cwd, name });
}

function reach({ url, headers }: HttpEntry): Transport {
  if (!URL.canParse(url)) throw new Error('its address is not a URL');
  return httpTransport(url, { headers });
}
