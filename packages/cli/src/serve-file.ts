import { limits, type Server } from '@ccmcp/core';
import { serveStdio, type StdioConnection } from '@ccmcp/core/stdio';
import { parseCommandLine, type ServeCommand, serverFlags } from './command-line.ts';
import { allTold, print, tell } from './print.ts';
import { type Offered, servedOn } from './serve-file/began-serving.ts';
import { keepCompiledCode } from './serve-file/compile-cache.ts';
import { keepStdoutFree } from './serve-file/free-stdout.ts';
import { loadServer } from './serve-file/load.ts';
import { isWatched } from './is-watched.ts';
import { serve } from './serve.ts';
import { fileProblem } from './server-file.ts';
import { serverNames } from './servers.ts';
import { waitingText } from './waiting.ts';

/** What `ccmcp serve --help` prints. */
export const serveHelp = `Usage: ccmcp serve FILE [--watch] [options]

Serves the server of a file of your own, whichever of two forms it has:
  - it exports the server, as its default or under the name "server": the server itself, or a function that makes one
  - it serves by itself, with "serveStdio(server)"; a program of another library will do, too, on stdio and without --watch

  --watch                  load the file anew when it changes, or what it imports; clients stay attached
  --help                   print this text

Of the options of "ccmcp --help", those for messages and for HTTP apply too.

Examples:
  ccmcp serve ./server.js
  ccmcp serve ./server.ts --watch --http 8080
`;

/** Serves a module of the user's own on stdio or over HTTP. Gives an exit code only where it could not begin. */
export async function serveFile(args: readonly string[]): Promise<number | undefined> {
  const [file = '', ...rest] = args;
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    print(serveHelp);
    return 0;
  }
  if (file === '' || file.startsWith('-')) return mistake('the file must come first: ccmcp serve FILE [options]');
  const isFile = !serverNames.some((name) => name === file);
  const foreign = isFile ? rest.find((arg) => serverFlags.has(arg.split('=', 1)[0] ?? '')) : undefined;
  if (foreign !== undefined) return mistake(`${foreign} is for ready-made servers, not for files`);
  const options = rest.filter((arg) => arg !== '--watch');
  const command = parseCommandLine(isFile ? options : [file, ...options], process.env);
  if (command.kind === 'mistake') {
    const { explained } = await import('./hints.ts');
    return mistake(explained(command));
  }
  if (command.kind === 'print') {
    print(command.text);
    return 0;
  }
  if (!isFile) {
    serve(command);
    return undefined;
  }
  if (rest.includes('--watch') && command.workers !== undefined) {
    return mistake('--watch is for one process: leave --workers out while you work on the file');
  }
  if (rest.includes('--watch') && command.auditStrict) {
    return mistake('--audit-strict is for a server that stays as it is: leave --watch out');
  }
  const problem = fileProblem(file);
  if (problem !== undefined) return mistake(problem);
  if (command.workers !== undefined) await noteProgram();
  try {
    await serveLoaded(file, command, { watch: rest.includes('--watch') });
    return undefined;
  } catch (error) {
    return giveUp(error, file);
  }
}

/** Notes what workers are started with, before loading a file makes this process look like a program of that file. */
async function noteProgram(): Promise<void> {
  const { default: cluster } = await import('node:cluster');
  if (cluster.isPrimary) cluster.setupPrimary();
}

async function serveLoaded(file: string, command: ServeCommand, { watch }: { watch: boolean }): Promise<void> {
  const giveStdoutBack = command.http === undefined ? keepStdoutFree() : () => {};
  const onLateError = (error: unknown): void => void giveUp(error, file);
  // A file that is loaded again and again has another address each time.
  if (!watch) keepCompiledCode();
  const loaded = await (watch ? watched(file) : loadServer(file, { onLateError })).finally(giveStdoutBack);
  if (loaded !== 'serves by itself') {
    if (command.http === undefined) {
      if (isWatched(command)) await (await import('./watched.ts')).watch(loaded.server, command);
      servedOn(overStdio(loaded, command));
      if (process.stdin.isTTY) tell(waitingText({ target: file, serve: `serve ${file}` }));
    } else {
      servedOn(await overHttp(loaded.server, command, file));
    }
  } else if (command.http !== undefined) {
    throw new Error(`${file} reads stdin by itself, so it can't be served over HTTP: leave --http out, or ${exportIt}`);
  }
}

const exportIt = 'write "export default createServer(…)" with createServer of @ccmcp/core';

/** What the command line says counts more than what the file says. */
function overStdio({ server, options }: Offered, { framing, maxMessage, rateLimit }: ServeCommand): StdioConnection {
  return serveStdio(server, {
    ...options,
    ...(framing !== 'auto' && { framing }),
    ...(maxMessage !== limits.stdio.maxMessage.value && { maxMessage }),
    ...(rateLimit !== undefined && { rateLimit }),
    // Named, so that nobody takes it over.
    input: process.stdin,
    output: process.stdout,
  });
}

/** Says what is wrong and ends: what the file has begun, such as a timer or a connection, must not keep the process. */
async function giveUp(error: unknown, file: string): Promise<never> {
  const { describeError } = await import('./serve-file/describe-error.ts');
  tell(`ccmcp: ${await describeError(error, [file])}\n`);
  await allTold();
  process.exit(1);
}

async function watched(file: string): Promise<Offered> {
  const { watchServer } = await import('./serve-file/watch.ts');
  return watchServer(file, (text) => tell(`ccmcp: ${text}\n`));
}

async function overHttp(server: Server, command: ServeCommand, file: string): Promise<StdioConnection> {
  const { adminText, keysIn, listen } = await import('./listen.ts');
  const { apiKeyVariable, apiKeyHeader: header = 'X-Api-Key' } = command;
  const keys = apiKeyVariable === undefined ? [] : keysIn(apiKeyVariable);
  if (apiKeyVariable !== undefined && keys.length === 0) throw new Error(`${apiKeyVariable} holds no key`);
  const key = keys.length === 0 ? undefined : { header, keys };
  const service = await listen(server, command, { port: 8080, key });
  let end: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    end = resolve;
  });
  const close = (): Promise<void> => service.close().then(end);
  const stop = (): void => {
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  // The first of several processes speaks and hears for all.
  if (service.worker === undefined) {
    process.once('SIGTERM', stop).once('SIGINT', stop);
    print(`${file} is served at ${service.url}\n${adminText(service)}`);
  }
  return { closed, close };
}

function mistake(message: string): number {
  tell(`ccmcp: ${message}\nTry "ccmcp serve --help".\n`);
  return 2;
}
