import type { Auth } from '@ccmcp/core';
import type { TokenStore } from '@ccmcp/core/client';
import { serveStdio } from '@ccmcp/core/stdio';
import type { Store } from '@ccmcp/core/http';
import { sharedTokens, type SignInOptions, signIns, type SignIns } from '@ccmcp/gateway/credentials';
import { openLoginStore } from '../client/sign-in/login-store.ts';
import { UsageError } from '../command/usage-error.ts';
import { isExtended } from '../serve/is-extended.ts';
import type { ServeCommand } from '../servers/serve-command.ts';
import { parseServeOptions } from '../servers/serve-options.ts';
import { type Environment, processEnvironment } from '../system/environment.ts';
import { messageLine } from '../terminal/message-line.ts';
import { print, printStderr } from '../terminal/print.ts';
import { type Gateway, onlyFile, openGateway } from './gateway.ts';
import { resolveSources } from './sources.ts';

/** The command line of `ccmcp gateway`: its own options, and those of serving. */
export interface GatewayArguments {
  readonly positionals: readonly string[];
  readonly from: string | undefined;
  /** The options of serving, as typed. */
  readonly serving: readonly string[];
}

/** `ccmcp gateway`: serves other servers as one until the client disconnects or a signal stops it. */
export async function serveGateway({ positionals, from, serving }: GatewayArguments): Promise<number | undefined> {
  const environment = processEnvironment();
  const parsed = parseServeOptions(serving, environment.env);
  if (parsed.kind === 'mistake') throw new UsageError(parsed.message);
  if (parsed.kind !== 'serve') throw new UsageError('--version and --help stand alone');
  // Applied with those of the file, which may change.
  const { toolSearch, ...command } = parsed;
  const features = { ...(toolSearch && { toolSearch }) };
  if (command.workers !== undefined) {
    throw new UsageError('a gateway keeps calls that wait for an answer in one process: leave --workers out');
  }
  const sources = resolveSources(onlyFile(positionals), from, environment);
  const { logLevel } = command;
  const pages = command.http === undefined ? undefined : signInPages(command, environment);
  const gateway = await openGateway(sources, environment, { logLevel, signIns: pages?.signIns, features });
  try {
    if (pages === undefined) await serveOnStdio(gateway, command);
    else await serveOnHttp(gateway, command, pages);
    return undefined;
  } catch (error) {
    await gateway.close();
    throw error;
  }
}

/** The pages where callers sign in to upstreams, and their URL. */
interface SignInPages {
  readonly signIns: SignIns;
  /** Sets the URL of the endpoint, once it is known. */
  setUrl(url: string): void;
  /** Keeps the tokens of callers, and their pending sign-ins, in a store that instances share, in place of files. */
  setStore(store: Store): void;
}

/** The variable with the secret that encrypts the tokens of callers. */
const keyVariable = 'CCMCP_LOGINS_KEY';

function signInPages({ oauth }: ServeCommand, { printStderr: write, env }: Environment): SignInPages {
  let address = '';
  let tokensOf: (caller: Auth) => TokenStore = callerLogins((text) => write(messageLine(text)));
  const storeFor: SignInOptions['storeFor'] = (caller) => tokensOf(caller);
  const made = signIns({
    url: oauth?.resource ?? (() => address),
    storeFor,
    clientName: 'ccmcp gateway',
  });
  return {
    signIns: made,
    setUrl(url) {
      address = url;
    },
    setStore(store) {
      const key = env[keyVariable] ?? '';
      if (key.length < minKey) {
        tokensOf = rejectWithoutKey;
        return;
      }
      const shared = sharedTokens({ store, key });
      tokensOf = shared;
      storeFor.signIns = shared.signIns;
    },
  };
}

/** The minimum length of the secret, in characters. */
const minKey = 32;

function rejectWithoutKey(): never {
  throw new Error(
    `"auth": "user" with --store needs ${keyVariable}: a secret of at least ${minKey} characters, the same for all instances, which encrypts the tokens of callers in the store`,
  );
}

async function serveOnStdio(gateway: Gateway, command: ServeCommand): Promise<void> {
  const { framing, maxMessage, rateLimit } = command;
  if (isExtended(command)) await (await import('../serve/extend-server.ts')).extendServer(gateway.server, command);
  const connection = serveStdio(gateway.server, { framing, maxMessage, ...(rateLimit !== undefined && { rateLimit }) });
  void connection.closed.then(() => gateway.close());
  if (process.stdin.isTTY)
    printStderr('A gateway runs here, and waits for a client on standard input. Ctrl+C ends it.\n');
}

async function serveOnHttp(gateway: Gateway, command: ServeCommand, signInsAt: SignInPages): Promise<void> {
  const { adminNotice, exitAfter, listen, requiredKey } = await import('../serve/serve-http.ts');
  const key = requiredKey(command);
  const status = (): object => ({ upstreams: gateway.status() });
  const { pages } = signInsAt.signIns;
  if (command.store !== undefined && gateway.hasCallerLogins() && (process.env[keyVariable] ?? '').length < minKey) {
    rejectWithoutKey();
  }
  const onStore = (store: Store): void => signInsAt.setStore(store);
  const service = await listen(gateway.server, command, { port: 8080, key, status, pages, onStore });
  signInsAt.setUrl(service.url);
  if (key === undefined && command.oauth === undefined && gateway.hasCallerLogins()) {
    printStderr(messageLine('servers with "auth": "user" need authenticated callers: add --oauth or --api-key-env'));
  }
  const stop = exitAfter(() => service.close().then(() => gateway.close()));
  process.on('SIGTERM', stop).on('SIGINT', stop);
  print(`The gateway is served at ${service.url}\n${adminNotice(service)}`);
}

/**
 * Stores the logins of a gateway's callers as `ccmcp login` stores those of a user, separately per caller. Warns once.
 */
function callerLogins(note: (text: string) => void): (caller: Auth) => TokenStore {
  let isWarned = false;
  return ({ principal }) => {
    const logins = openLoginStore(undefined, undefined, principal);
    return {
      get: (key) => logins.get(key),
      async set(key, grant) {
        const warning = await logins.set(key, grant, { url: key.resource });
        if (warning !== undefined && !isWarned) note(`Warning: ${warning}`);
        isWarned ||= warning !== undefined;
      },
      delete: (key) => logins.delete(key),
      exclusively: (key, act) => logins.exclusively(key, act),
    };
  };
}
