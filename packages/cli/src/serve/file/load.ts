import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isServer, type Server } from '@ccmcp/core';
import { type StdioConnection, type StdioOptions, interceptStdio } from '@ccmcp/core/stdio';
import { fileProblem } from '../../servers/server-file.ts';
import { enableTypeScript } from './typescript.ts';

/** A loaded file: a server, or a program that serves stdio on its own. */
export type Loaded = LoadedServer | 'serves on its own';

/** How a file is loaded. */
export interface LoadOptions {
  /** Distinguishes reloads of the same file. */
  version?: number;
  /** Called if the file fails after it has begun to serve. */
  onLateError(error: unknown): void;
}

/**
 * Loads a user's module and returns the server that it exports or passes to `serveStdio`. A program that reads stdin
 * with another library serves on its own.
 */
export async function loadServer(file: string, { version, onLateError }: LoadOptions): Promise<Loaded> {
  const path = resolve(file);
  const problem = fileProblem(file, path);
  if (problem !== undefined) throw new Error(problem);
  enableTypeScript(path);
  const url = pathToFileURL(path);
  if (version !== undefined) url.searchParams.set('ccmcp', String(version));
  // Some files serve only if they are the main program.
  process.argv.splice(1, process.argv.length, path);

  const { offered, reading, stopListening } = detectServing();
  const exported = import(url.href).then(exportedServer);
  const { idle, stop } = detectIdle(file, exported);
  const began = Promise.race([offered, reading.then(() => 'serves on its own' as const), idle]);
  try {
    const loaded = (await Promise.race([began, exported])) ?? (await began);
    exported.catch(onLateError);
    return loaded;
  } finally {
    stop();
    stopListening();
  }
}

/** The server that a module exports, if any. */
async function exportedServer(module: { default?: unknown; server?: unknown }): Promise<LoadedServer | undefined> {
  // CommonJS exports arrive as the default.
  const exported = [module.server, module.default, (module.default as typeof module | undefined)?.default].find(
    (candidate) => typeof candidate === 'function' || isServer(candidate),
  );
  const server: unknown = typeof exported === 'function' ? await exported() : exported;
  return isServer(server) ? { server, options: {} } : undefined;
}

/** How long a loaded file may take to begin serving: it may have to connect to a database first. */
const idleTimeoutMs = 10_000;
/** The timeout for a file that listens on a port: it will hardly read stdin. */
const listeningTimeoutMs = 2000;
const pollMs = 100;

/** Detects a file that never serves. */
export interface IdleDetector {
  /** Rejects with the reason once the file is known to be idle; never resolves. */
  idle: Promise<never>;
  stop(): void;
}

/** Detects that a file neither exports a server nor serves on its own. `loading` settles when it is loaded. */
function detectIdle(file: string, loading: Promise<unknown>): IdleDetector {
  let timer: NodeJS.Timeout | undefined;
  let rejectIdle: () => void = () => {};
  const idle = new Promise<never>((_, reject) => {
    rejectIdle = () => reject(new Error(listens() ? listensMessage(file) : noServerMessage(file)));
  });
  // The rejection is irrelevant once there is a server.
  idle.catch(() => {});
  process.once('beforeExit', rejectIdle);

  let waitedMs = 0;
  const look = (): void => {
    waitedMs += pollMs;
    if (waitedMs >= (listens() ? listeningTimeoutMs : idleTimeoutMs)) rejectIdle();
  };
  let isLooking = true;
  const begin = (): void => {
    if (isLooking) timer = setInterval(look, pollMs).unref();
  };
  loading.then(begin, () => {});
  return {
    idle,
    stop() {
      isLooking = false;
      clearInterval(timer);
      process.off('beforeExit', rejectIdle);
    },
  };
}

function listens(): boolean {
  return process.getActiveResourcesInfo().includes('TCPServerWrap');
}

function noServerMessage(file: string): string {
  return `${file} exports no server and serves none: write "export default createServer(…)", or "serveStdio(createServer(…))"`;
}

function listensMessage(file: string): string {
  return (
    `${file} exports no server, and listens on a port on its own: start it with "node ${file}" and give its address ` +
    'instead, or write "export default createServer(…)"'
  );
}

/** The server of a file, with the options that the file gave to `serveStdio`. */
export interface LoadedServer {
  server: Server;
  options: StdioOptions;
}

/** Detects how a file serves: during loading or shortly after. */
export interface ServingDetector {
  /** The server that the file passed to `serveStdio`. */
  offered: Promise<LoadedServer>;
  /** The file reads stdin: it serves with another library. */
  reading: Promise<void>;
  stopListening(): void;
}

let isTaken = false;
let onOffer: (offered: LoadedServer) => void = () => {};
let onServed: (connection: StdioConnection) => void = () => {};

/** Sets the connection that the file's `serveStdio` returns. */
export function setServedConnection(connection: StdioConnection): void {
  onServed(connection);
}

/** Intercepts `serveStdio`, and detects whether anything else reads stdin. */
function detectServing(): ServingDetector {
  if (!isTaken) interceptServeStdio();
  const offered = new Promise<LoadedServer>((resolve) => {
    onOffer = resolve;
  });
  let look: (event: string | symbol) => void = () => {};
  const reading = new Promise<void>((resolve) => {
    look = (event) => {
      if (event === 'data' || event === 'readable') resolve();
    };
  });
  process.stdin.on('newListener', look);
  return { offered, reading, stopListening: () => process.stdin.off('newListener', look) };
}

function interceptServeStdio(): void {
  isTaken = true;
  const served = new Promise<StdioConnection>((resolve) => {
    onServed = resolve;
  });
  const connection: StdioConnection = {
    closed: served.then(({ closed }) => closed),
    close: async (options) => (await served).close(options),
  };
  interceptStdio((server, options) => {
    onOffer({ server, options });
    return connection;
  });
}
