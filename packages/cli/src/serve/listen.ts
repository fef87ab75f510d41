import type { Server } from '@ccmcp/core';
import {
  apiKey,
  type Authenticator,
  type HttpService,
  type InspectorPlace,
  type MountedInspector,
  oauth,
  type ServeHttpOptions,
  serveHttp,
  type Store,
} from '@ccmcp/core/http';
import type { redisStore } from '@ccmcp/redis';
import type { ServeCommand } from './serve-options.ts';
import { isObserved } from './is-observed.ts';
import { listenError } from './listen-error.ts';
import { selfCommand } from '../util/self-command.ts';
import { observeServer } from './observe.ts';

/** Options of listening beside the command line. */
export interface ListenOptions {
  /** Where the command line names none. */
  port: number;
  key?: { header: string; keys: string[] } | undefined;
}

/** Serves over HTTP with the options of the command line. Listen errors are sentences. */
export async function listen(server: Server, command: ServeCommand, options: ListenOptions): Promise<HttpService> {
  const { http = {}, allowHosts, allowOrigins, maxMessage, publicWithoutAuth, sse, rateLimit, workers } = command;
  const { port, key } = options;
  if (isObserved(command)) await observeServer(server, command);
  const ways = authenticators(command, key);
  const store = await openStore(command.store, server.info.name);
  try {
    return closeStoreWith(
      store,
      await serveHttp(server, {
        port: http.port ?? port,
        ...(http.host !== undefined && { host: http.host }),
        ...(ways.length > 0 && { auth: ways }),
        ...(command.oauth?.resource !== undefined && { resource: command.oauth.resource }),
        allowHosts,
        allowOrigins,
        maxBody: maxMessage,
        publicWithoutAuth,
        ...(sse && { sse: true }),
        ...(rateLimit !== undefined && { rateLimit }),
        ...(workers !== undefined && { workers }),
        ...(store !== undefined && { store }),
        health: command.health,
        ...adminOptions(command),
        ...(command.inspector && { inspector: makeInspector }),
      }),
    );
  } catch (error) {
    await store?.close();
    throw listenError(error, { adminPort: command.admin?.port }) ?? error;
  }
}

function adminOptions({ admin, publicAdmin, allowHosts }: ServeCommand): Pick<ServeHttpOptions, 'admin'> {
  return admin === undefined ? {} : { admin: { ...admin, publicWithoutAuth: publicAdmin, allowHosts } };
}

/** The inspector that this program has in it, which reaches whatever else the command reaches. */
async function makeInspector(server: Server, place: InspectorPlace): Promise<MountedInspector> {
  const { mountedInspector } = await import('../inspect/create-inspector.ts');
  return mountedInspector(server, place);
}

/** Where operators look, and where the inspector is, in words; nothing where there is no such place. */
export function adminNotice({ adminUrl, inspectorUrl }: HttpService): string {
  const metrics =
    adminUrl === undefined ? '' : `Metrics are at ${adminUrl}/metrics; "${selfCommand()} top ${adminUrl}" shows them\n`;
  return metrics + (inspectorUrl === undefined ? '' : `The inspector is at ${inspectorUrl}\n`);
}

/** The authenticators: OAuth tokens, API keys. */
function authenticators({ oauth: given }: ServeCommand, key: ListenOptions['key']): Authenticator[] {
  const ways = key === undefined ? [] : [apiKey({ header: key.header, keys: key.keys })];
  if (given === undefined) return ways;
  const { issuers, scopes, audiences } = given;
  return [oauth({ issuer: issuers, scopes, ...(audiences.length > 0 && { audience: audiences }) }), ...ways];
}

/** The store at a URL. Servers of different names have nothing in common there. */
async function openStore(url: string | undefined, name: string): Promise<Store | undefined> {
  if (url === undefined) return undefined;
  const redis = await importRedis();
  return redis.redisStore({ url, prefix: `ccmcp/${name.replaceAll(/[{}]/g, '')}` });
}

async function importRedis(): Promise<{ redisStore: typeof redisStore }> {
  try {
    return await import('@ccmcp/redis');
  } catch (error) {
    if (!/^(ERR_)?MODULE_NOT_FOUND$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new Error('--store and REDIS_URL need the package ioredis: npm install ioredis', { cause: error });
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

/** The keys that a variable of the environment holds, with commas between them. */
export function readApiKeys(variable: string): string[] {
  return (process.env[variable] ?? '').split(',').filter((key) => key !== '');
}
