import {
  type HttpService,
  apiKey,
  type Authenticator,
  type InspectorPlace,
  type MountedInspector,
  oauth,
  type ServeHttpOptions,
  serveHttp,
  type Store,
} from '@ccmcp/core/http';
import type { Server } from '@ccmcp/core';
import type { ServeCommand } from '../servers/serve-command.ts';
import { selfCommand } from '../system/self-command.ts';
import { print } from '../terminal/print.ts';
import { type HttpDefaults, httpDefaults, createReadyServer } from '../servers/servers.ts';
import { isExtended } from './is-extended.ts';
import { listenError } from '../system/listen-error.ts';
import { extendServer } from './extend-server.ts';

/** Serves over HTTP until a signal stops it, and prints how to reach it. */
export async function serveOverHttp(command: ServeCommand): Promise<void> {
  if (command.workers !== undefined && command.servers.includes('ccmcp')) {
    throw new Error('ccmcp makes tools while it runs, which each worker would have for itself: leave --workers out');
  }
  const defaults = httpDefaults(command);
  const key = resolveApiKey(command, defaults);
  let service: HttpService | undefined;
  const stop = exitAfter(async () => service?.close());
  const server = await createReadyServer(command, stop);
  service = await listen(server, command, { port: defaults.port, key });
  // With several workers, the primary prints the address and handles signals.
  if (service.worker !== undefined) return;
  process.on('SIGTERM', stop).on('SIGINT', stop);
  print(announcement(command.servers, service.url, key) + adminNotice(service));
}

/** Returns a function that closes a service and exits; at the second call it exits at once. */
export function exitAfter(close: () => Promise<void>): () => void {
  let isClosing = false;
  return () => {
    if (isClosing) process.exit(1);
    isClosing = true;
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
}

interface Key {
  header: string;
  variable: string;
  keys: string[];
}

function resolveApiKey(
  { servers, apiKeyVariable, apiKeyHeader, oauth }: ServeCommand,
  defaults: HttpDefaults,
): Key | undefined {
  const variable = apiKeyVariable ?? defaults.keyVariable;
  if (variable === undefined) return undefined;
  const keys = readApiKeys(variable);
  // With OAuth, API keys are optional unless an option requires them.
  if (keys.length === 0 && oauth !== undefined && apiKeyVariable === undefined) return undefined;
  if (keys.length === 0) {
    throw new Error(`${servers.join(', ')} needs a key over HTTP: set ${variable} to the key that callers must send`);
  }
  return { header: apiKeyHeader ?? defaults.keyHeader, variable, keys };
}

function announcement(servers: ServeCommand['servers'], url: string, key: Key | undefined): string {
  const [only = 'ccmcp', ...others] = servers;
  // Composed servers have the name in serverInfo, which every client accepts.
  const name = others.length === 0 ? only : 'ccmcp';
  const headers = key && { headers: { [key.header]: `\${${key.variable}}` } };
  const configuration = { mcpServers: { [name]: { type: 'http', url, ...headers } } };
  const header = key === undefined ? '' : ` --header '${key.header}: \${env:${key.variable}}'`;
  const keyOption = key === undefined ? '' : ` -H "${key.header}: $${key.variable}"`;
  return `${servers.join(', ')} ${others.length === 0 ? 'is' : 'are'} served at ${url}

Paste this into your client's configuration:
${JSON.stringify(configuration, null, 2)}
or let it be put there: ${selfCommand()} install CLIENT ${url} --name ${name}${header}

Try it:
curl -s ${url} -H 'Content-Type: application/json'${keyOption} -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
`;
}

/** Options of listening beside the command line. */
export interface ListenOptions {
  /** The default port. */
  port: number;
  key?: { header: string; keys: string[] } | undefined;
  /** The content of `/status` at the admin address. */
  status?: () => unknown;
  /** Pages for browsers beside the endpoint. */
  pages?: ServeHttpOptions['pages'];
  /** Called with the store of `--store`, before requests are served. */
  onStore?: (store: Store) => void;
}

/** Serves over HTTP with the options of the command line. Listen errors are sentences. */
export async function listen(server: Server, command: ServeCommand, options: ListenOptions): Promise<HttpService> {
  const { http = {}, allowHosts, allowOrigins, maxMessage, publicWithoutAuth, sse, rateLimit, workers } = command;
  const { port, key, status, pages, onStore } = options;
  if (isExtended(command)) await extendServer(server, command);
  const methods = authenticators(command, key);
  const store = await openStore(command.store, server.info.name);
  try {
    if (store !== undefined) onStore?.(store);
    return closeStoreWith(
      store,
      await serveHttp(server, {
        port: http.port ?? port,
        ...(http.host !== undefined && { host: http.host }),
        ...(methods.length > 0 && { auth: methods }),
        ...publicAddress(command),
        allowHosts,
        allowOrigins,
        maxBody: maxMessage,
        publicWithoutAuth,
        ...(sse && { sse: true }),
        ...(rateLimit !== undefined && { rateLimit }),
        ...(workers !== undefined && { workers }),
        ...(store !== undefined && { store }),
        health: command.health,
        ...(pages && { pages }),
        ...adminOptions(command, status),
        ...(command.inspector && { inspector: makeInspector }),
      }),
    );
  } catch (error) {
    await store?.close();
    throw listenError(error, { adminPort: command.admin?.port }) ?? error;
  }
}

/** The public URL, which tokens and the server card name. */
function publicAddress({ oauth: given, serverCard }: ServeCommand): Pick<ServeHttpOptions, 'resource' | 'serverCard'> {
  const resource = given?.resource ?? serverCard;
  if (resource === undefined) return {};
  return { resource, ...(serverCard !== undefined && { serverCard: true }) };
}

function adminOptions(
  { admin, publicAdmin, allowHosts }: ServeCommand,
  status: ListenOptions['status'],
): Pick<ServeHttpOptions, 'admin'> {
  if (admin === undefined) return {};
  return { admin: { ...admin, publicWithoutAuth: publicAdmin, allowHosts, ...(status && { status }) } };
}

/** Creates the mounted inspector, which reaches all targets of the command. */
async function makeInspector(server: Server, place: InspectorPlace): Promise<MountedInspector> {
  const { mountedInspector } = await import('../inspect/create-inspector.ts');
  return mountedInspector(server, place);
}

/** The addresses of the metrics and of the inspector as text; empty if there are none. */
export function adminNotice({ adminUrl, inspectorUrl }: HttpService): string {
  const metrics =
    adminUrl === undefined ? '' : `Metrics are at ${adminUrl}/metrics; "${selfCommand()} top ${adminUrl}" shows them\n`;
  return metrics + (inspectorUrl === undefined ? '' : `The inspector is at ${inspectorUrl}\n`);
}

/** The authenticators: OAuth tokens, API keys. */
function authenticators({ oauth: given }: ServeCommand, key: ListenOptions['key']): Authenticator[] {
  const methods = key === undefined ? [] : [apiKey({ header: key.header, keys: key.keys })];
  if (given === undefined) return methods;
  const { issuers, scopes, audiences } = given;
  return [oauth({ issuer: issuers, scopes, ...(audiences.length > 0 && { audience: audiences }) }), ...methods];
}

/** The store at a URL. Servers with different names share no data in it. */
async function openStore(url: string | undefined, name: string): Promise<Store | undefined> {
  if (url === undefined) return undefined;
  const options = { url, prefix: `ccmcp/${name.replaceAll(/[{}]/g, '')}` };
  if (url.startsWith('postgres')) {
    const { postgresStore } = await importStore(
      () => import('@ccmcp/postgres'),
      '--store needs the package pg: npm install pg',
    );
    return postgresStore(options);
  }
  const missing = '--store and REDIS_URL need the package ioredis: npm install ioredis';
  const { redisStore } = await importStore(() => import('@ccmcp/redis'), missing);
  return redisStore(options);
}

async function importStore<T>(load: () => Promise<T>, missing: string): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!/^(ERR_)?MODULE_NOT_FOUND$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new Error(missing, { cause: error });
  }
}

/** The store is closed after the service that used it. */
function closeStoreWith(store: Store | undefined, service: HttpService): HttpService {
  if (store === undefined) return service;
  // The primary closes a worker and disconnects: an open store would keep the worker alive.
  if (service.worker !== undefined) process.once('disconnect', () => void store.close());
  const close: HttpService['close'] = async (options) => {
    await service.close(options);
    await store.close();
  };
  return { ...service, close };
}

/** The API keys that the command line requires of callers. */
export function requiredKey({
  apiKeyVariable,
  apiKeyHeader: header = 'X-Api-Key',
}: ServeCommand): ListenOptions['key'] {
  if (apiKeyVariable === undefined) return undefined;
  const keys = readApiKeys(apiKeyVariable);
  if (keys.length === 0) throw new Error(`${apiKeyVariable} holds no key`);
  return { header, keys };
}

/** The keys in an environment variable, separated by commas. */
function readApiKeys(variable: string): string[] {
  return (process.env[variable] ?? '').split(',').filter((key) => key !== '');
}
