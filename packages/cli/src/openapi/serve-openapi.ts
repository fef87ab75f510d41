import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serveStdio } from '@ccmcp/core/stdio';
import { openApi, type OpenApiOptions, type OpenApiServer, type OperationFilter } from '@ccmcp/openapi';
import { UsageError } from '../command/usage-error.ts';
import { resolveReferences } from '../gateway/references.ts';
import { isExtended } from '../serve/is-extended.ts';
import type { ServeCommand } from '../servers/serve-command.ts';
import { parseServeOptions } from '../servers/serve-options.ts';
import { type Environment, processEnvironment } from '../system/environment.ts';
import { urlFromWord } from '../system/url-from-word.ts';
import { print, printStderr } from '../terminal/print.ts';
import type { OwnValues } from './own-options.ts';

/** The command line of `ccmcp openapi`: its own options by name, and those of serving. */
export interface OpenApiArguments {
  readonly positionals: readonly string[];
  readonly values: OwnValues;
  /** The options of serving, as typed. */
  readonly serving: readonly string[];
}

/** The maximum errors of a document that are written to stderr. */
const maxReported = 20;

/** `ccmcp openapi`: serves an API until the client disconnects or a signal stops it. */
export async function serveOpenApi({ positionals, values, serving }: OpenApiArguments): Promise<number | undefined> {
  const environment = processEnvironment();
  const parsed = parseServeOptions(serving, environment.env);
  if (parsed.kind === 'mistake') throw new UsageError(parsed.message);
  if (parsed.kind !== 'serve') throw new UsageError('--version and --help stand alone');
  const [document, another] = positionals;
  if (document === undefined || another !== undefined) {
    throw new UsageError(
      another === undefined ? 'the document is missing: give a file or a URL' : `unexpected argument: ${another}`,
    );
  }
  const options = await readApiOptions(values, environment);
  const { logLevel } = parsed;
  const server = await openApi(locationOf(document, environment), {
    ...options,
    server: { ...(logLevel && { logLevel }) },
  });
  reportSkipped(server, environment);
  if (parsed.http === undefined) await serveOnStdio(server, parsed);
  else await serveOnHttp(server, parsed, document);
  return undefined;
}

/** The options of `openApi` from the command line. */
export async function readApiOptions(
  values: OpenApiArguments['values'],
  environment: Environment,
): Promise<OpenApiOptions> {
  const { include = [], exclude = [], auth = [], header = [], variable = [], references = [] } = values;
  const baseUrl = values['base-url'];
  const sources = { ...environment, folder: environment.cwd };
  const resolved = async (pairs: [string, string][]): Promise<Record<string, string>> =>
    Object.fromEntries(
      await Promise.all(pairs.map(async ([name, text]) => [name, await resolveReferences(text, sources)])),
    );
  return {
    ...(include.length > 0 && { include: include.map(parseFilter) }),
    ...(exclude.length > 0 && { exclude: exclude.map(parseFilter) }),
    ...(auth.length > 0 && { auth: await resolved(auth.map(parseCredential)) }),
    headers: await resolved(header.map((text) => splitAt(text, ':', '--header', 'NAME: VALUE'))),
    ...(baseUrl !== undefined && { baseUrl: urlOf('--base-url', baseUrl) }),
    serverVariables: Object.fromEntries(variable.map((text) => splitAt(text, '=', '--variable', 'NAME=VALUE'))),
    references: references.map((word) => folderOf(word, environment)),
    privateAddresses: values['private-addresses'] === true,
    groups: values.groups === true,
  };
}

/** `tag:pets,method:get` and the like. */
function parseFilter(text: string): OperationFilter {
  const members = { tag: 'tags', path: 'paths', method: 'methods', id: 'operations' } as const;
  const filter: Partial<Record<(typeof members)[keyof typeof members], string[]>> & { marked?: boolean } = {};
  for (const part of text.split(',')) {
    const [, kind = '', value = ''] = /^(tag|path|method|id):(.+)$/s.exec(part) ?? [];
    if (part === 'marked') filter.marked = true;
    else if (kind === '')
      throw new UsageError(`a filter is tag:NAME, path:PATTERN, method:NAME, id:PATTERN or marked: ${part}`);
    else (filter[members[kind as keyof typeof members]] ??= []).push(value);
  }
  return filter;
}

function parseCredential(text: string): [string, string] {
  const [scheme, value] = splitAt(text, '=', '--auth', 'SCHEME=VALUE');
  // The value may be a secret.
  if (!value.includes('${')) {
    throw new UsageError(
      `--auth ${scheme}=… shows up in lists of processes: name a variable, as in '${scheme}=\${TOKEN}', or \${file:PATH}`,
    );
  }
  return [scheme, value];
}

function splitAt(text: string, separator: string, option: string, form: string): [string, string] {
  const at = text.indexOf(separator);
  if (at < 1) throw new UsageError(`${option} must be ${form}`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function urlOf(option: string, word: string): string {
  const url = urlFromWord(word);
  if (url === undefined || !URL.canParse(url)) throw new UsageError(`${option} must be a URL: ${word}`);
  return url;
}

/** The document as a URL: a file that is there, or else an address. */
function locationOf(word: string, { cwd }: Environment): URL {
  const path = resolve(cwd, word);
  const url = existsSync(path) ? undefined : word.startsWith('file:') ? word : urlFromWord(word);
  if (url === undefined) return pathToFileURL(path);
  if (!URL.canParse(url)) throw new UsageError(`the document is no file and no URL: ${word}`);
  return new URL(url);
}

/** A URL is a prefix as it is; a folder ends with a slash. */
function folderOf(word: string, { cwd }: Environment): string {
  return /^[a-z]+:\/\//i.test(word) ? word : `${pathToFileURL(resolve(cwd, word)).href.replace(/\/$/, '')}/`;
}

function reportSkipped({ skipped }: OpenApiServer, environment: Environment): void {
  for (const { place, reason } of skipped.slice(0, maxReported))
    environment.printStderr(`ccmcp: not offered: ${place}: ${reason}\n`);
  const more = skipped.length - maxReported;
  if (more > 0) environment.printStderr(`ccmcp: not offered: ${more} more operations\n`);
}

async function serveOnStdio(server: OpenApiServer, command: ServeCommand): Promise<void> {
  const { framing, maxMessage, rateLimit } = command;
  if (isExtended(command)) await (await import('../serve/extend-server.ts')).extendServer(server, command);
  serveStdio(server, { framing, maxMessage, ...(rateLimit !== undefined && { rateLimit }) });
  if (process.stdin.isTTY)
    printStderr('An API is served here, and waits for a client on standard input. Ctrl+C ends it.\n');
}

async function serveOnHttp(server: OpenApiServer, command: ServeCommand, document: string): Promise<void> {
  const { adminNotice, exitAfter, listen, requiredKey } = await import('../serve/serve-http.ts');
  const service = await listen(server, command, { port: 8080, key: requiredKey(command) });
  const stop = exitAfter(() => service.close());
  process.on('SIGTERM', stop).on('SIGINT', stop);
  print(`${server.operations.length} operations of ${document} are served at ${service.url}\n${adminNotice(service)}`);
}
