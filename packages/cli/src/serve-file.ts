import type { Server } from '@ccmcp/core';
import { serveStdio } from '@ccmcp/core/stdio';
import { parseCommandLine, type ServeCommand } from './command-line.ts';
import { loadServer } from './serve-file/load.ts';
import { serve } from './serve.ts';
import { serverNames } from './servers.ts';

/** What `ccmcp serve --help` prints. */
export const serveHelp = `Usage: ccmcp serve FILE [--watch] [options]

Serves the server that a module of your own exports: as its default, or under the name "server"; either the server
itself or a function that makes one.

  --watch                  load the file anew when it changes, or what it imports; clients stay attached
  --help                   print this text

Of the options of "ccmcp --help", those for messages and for HTTP apply too.

Examples:
  ccmcp serve ./server.js
  ccmcp serve ./server.ts --watch --http 8080
`;

/** Options that are for ready-made servers only. */
const notForFiles = ['--root', '--db', '--log-level', '--allow-shutdown'];

/** Serves a module of the user's own on stdio or over HTTP. Gives an exit code only where it could not begin. */
export async function serveFile(args: readonly string[]): Promise<number | undefined> {
  const [file = '', ...rest] = args;
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(serveHelp);
    return 0;
  }
  if (file === '' || file.startsWith('-')) return mistake('the file must come first: ccmcp serve FILE [options]');
  const isFile = !serverNames.some((name) => name === file);
  const foreign = isFile ? rest.find((arg) => notForFiles.includes(arg.split('=', 1)[0] ?? '')) : undefined;
  if (foreign !== undefined) return mistake(`${foreign} is for ready-made servers, not for files`);
  const options = rest.filter((arg) => arg !== '--watch');
  const command = parseCommandLine(isFile ? options : [file, ...options], process.env);
  if (command.kind === 'mistake') return mistake(command.message);
  if (command.kind === 'print') {
    process.stdout.write(command.text);
    return 0;
  }
  if (!isFile) {
    serve(command);
    return undefined;
  }
  const load = (): Promise<Server> => (rest.includes('--watch') ? watched(file) : loadServer(file));
  const server = await (command.http === undefined ? withStdoutFree(load) : load()).catch((error: unknown) =>
    explain(error, file),
  );
  if (command.http === undefined) serveStdio(server, { framing: command.framing, maxMessage: command.maxMessage });
  else await overHttp(server, command, file);
  return undefined;
}

/** What a module prints while it is loaded must not reach the client. */
async function withStdoutFree<T>(use: () => Promise<T>): Promise<T> {
  const { stdout, stderr } = process;
  const write = stdout.write;
  stdout.write = stderr.write.bind(stderr);
  try {
    return await use();
  } finally {
    stdout.write = write;
  }
}

async function explain(error: unknown, file: string): Promise<never> {
  const { describeError } = await import('./serve-file/describe-error.ts');
  throw new Error(await describeError(error, [file]), { cause: error });
}

async function watched(file: string): Promise<Server> {
  const { watchServer } = await import('./serve-file/watch.ts');
  return watchServer(file, (text) => process.stderr.write(`ccmcp: ${text}\n`));
}

async function overHttp(server: Server, command: ServeCommand, file: string): Promise<void> {
  const { apiKey, serveHttp } = await import('@ccmcp/core/http');
  const { http = {}, apiKeyVariable, apiKeyHeader = 'X-Api-Key' } = command;
  const keys = apiKeyVariable === undefined ? [] : (process.env[apiKeyVariable] ?? '').split(',').filter(Boolean);
  if (apiKeyVariable !== undefined && keys.length === 0) throw new Error(`${apiKeyVariable} holds no key`);
  const service = await serveHttp(server, {
    port: http.port ?? 8080,
    ...(http.host !== undefined && { host: http.host }),
    ...(keys.length > 0 && { auth: apiKey({ header: apiKeyHeader, keys }) }),
    allowHosts: command.allowHosts,
    allowOrigins: command.allowOrigins,
    maxBody: command.maxMessage,
    publicWithoutAuth: command.publicWithoutAuth,
    ...(command.sse && { sse: true }),
  });
  const stop = (): void => {
    service.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  process.stdout.write(`${file} is served at ${service.url}\n`);
}

function mistake(message: string): number {
  process.stderr.write(`ccmcp: ${message}\nTry "ccmcp serve --help".\n`);
  return 2;
}
