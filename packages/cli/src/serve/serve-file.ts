import { limits, type Server } from '@ccmcp/core';
import { serveStdio, type StdioConnection } from '@ccmcp/core/stdio';
import type { ServeCommand } from '../servers/serve-command.ts';
import { isServerOption, parseServeOptions } from '../servers/serve-options.ts';
import { messageLine } from '../terminal/message-line.ts';
import { flushStderr, print, printStderr, safeStderr } from '../terminal/print.ts';
import { type LoadedServer, setServedConnection, loadServer } from './file/load.ts';
import { enableCompileCache } from './file/compile-cache.ts';
import { isExtended } from './is-extended.ts';
import { serve } from './serve.ts';
import { fileProblem } from '../servers/server-file.ts';
import { serverNames } from '../servers/servers.ts';
import { UsageError } from '../command/usage-error.ts';
import { waitingText } from './waiting-text.ts';

/** Serves a user's module on stdio or over HTTP. Returns an exit code only if it could not start. */
export async function serveFile(args: readonly string[]): Promise<number | undefined> {
  const [file = '', ...rest] = args;
  if (file === '' || file.startsWith('-')) throw new UsageError('the file must come first: ccmcp serve FILE [options]');
  const isFile = !serverNames.some((name) => name === file);
  const foreign = isFile ? rest.find(isServerOption) : undefined;
  if (foreign !== undefined) throw new UsageError(`${foreign} is for ready-made servers, not for files`);
  const options = rest.filter((arg) => arg !== '--watch');
  const command = parseServeOptions(isFile ? options : [file, ...options], process.env);
  if (command.kind === 'mistake') {
    const { explainMistake } = await import('./migration-hints.ts');
    throw new UsageError(explainMistake(command));
  }
  if (command.kind !== 'serve') {
    if (command.kind === 'print') print(command.text);
    return 0;
  }
  if (!isFile) {
    serve(command);
    return undefined;
  }
  if (rest.includes('--watch') && command.workers !== undefined) {
    throw new UsageError('--watch is for one process: leave --workers out while you work on the file');
  }
  if (rest.includes('--watch') && command.auditStrict) {
    throw new UsageError('--audit-strict is for a server that stays as it is: leave --watch out');
  }
  const problem = fileProblem(file);
  if (problem !== undefined) throw new UsageError(problem);
  if (command.workers !== undefined) await prepareWorkers();
  try {
    await serveLoaded(file, command, { watch: rest.includes('--watch') });
    return undefined;
  } catch (error) {
    return exitWithError(error, file);
  }
}

/** Fixes the arguments of workers before loading a file changes argv. */
async function prepareWorkers(): Promise<void> {
  const { default: cluster } = await import('node:cluster');
  if (cluster.isPrimary) cluster.setupPrimary();
}

async function serveLoaded(file: string, command: ServeCommand, { watch }: { watch: boolean }): Promise<void> {
  const restoreStdout = command.http === undefined ? redirectStdout() : () => {};
  const onLateError = (error: unknown): void => void exitWithError(error, file);
  // A reloaded file has another URL each time.
  if (!watch) enableCompileCache();
  const loaded = await (watch ? loadWatched(file) : loadServer(file, { onLateError })).finally(restoreStdout);
  if (loaded !== 'serves on its own') {
    if (command.http === undefined) {
      if (isExtended(command)) await (await import('./extend-server.ts')).extendServer(loaded.server, command);
      setServedConnection(serveOnStdio(loaded, command));
      if (process.stdin.isTTY) printStderr(waitingText({ target: file, serve: `serve ${file}` }));
    } else {
      setServedConnection(await serveOnHttp(loaded.server, command, file));
    }
  } else if (command.http !== undefined) {
    throw new Error(
      `${file} reads stdin on its own, so it can't be served over HTTP: leave --http out, or ${exportAdvice}`,
    );
  }
}

const exportAdvice = 'write "export default createServer(…)" with createServer of @ccmcp/core';

/** Options of the command line override those of the file. */
function serveOnStdio(
  { server, options }: LoadedServer,
  { framing, maxMessage, rateLimit }: ServeCommand,
): StdioConnection {
  return serveStdio(server, {
    ...options,
    ...(framing !== 'auto' && { framing }),
    ...(maxMessage !== limits.stdio.maxMessage.value && { maxMessage }),
    ...(rateLimit !== undefined && { rateLimit }),
    // Passed so that the call is not intercepted.
    input: process.stdin,
    output: process.stdout,
  });
}

/** Reports the error and exits: timers or connections of the file must not keep the process alive. */
async function exitWithError(error: unknown, file: string): Promise<never> {
  const { describeError } = await import('./file/describe-error.ts');
  printStderr(messageLine(await describeError(error, [file])));
  await flushStderr();
  process.exit(1);
}

async function loadWatched(file: string): Promise<LoadedServer> {
  const { watchServer } = await import('./file/watch.ts');
  return watchServer(file, (text) => printStderr(messageLine(text)));
}

async function serveOnHttp(server: Server, command: ServeCommand, file: string): Promise<StdioConnection> {
  const { adminNotice, exitAfter, listen, requiredKey } = await import('./serve-http.ts');
  const service = await listen(server, command, { port: 8080, key: requiredKey(command) });
  let end: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    end = resolve;
  });
  const close = (): Promise<void> => service.close().then(end);
  // With several workers, the primary prints the address and handles signals.
  if (service.worker === undefined) {
    const stop = exitAfter(close);
    process.on('SIGTERM', stop).on('SIGINT', stop);
    print(`${file} is served at ${service.url}\n${adminNotice(service)}`);
  }
  return { closed, close };
}

/**
 * Redirects stdout to stderr: the output of a module at load time must not reach the client. Returns a function that
 * ends the redirection, also for code that holds a reference to `write`.
 */
function redirectStdout(): () => void {
  const { stdout } = process;
  const stderr = safeStderr();
  const instead = stderr.write.bind(stderr);
  const write = stdout.write;
  let isFree = true;
  const guardedWrite = ((...args: Parameters<typeof write>) =>
    isFree ? instead(...args) : write.apply(stdout, args)) as typeof write;
  stdout.write = guardedWrite;
  return () => {
    isFree = false;
    if (stdout.write === guardedWrite) stdout.write = write;
  };
}
