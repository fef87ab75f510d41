import { createServer } from 'node:net';
import {
  type HttpAuth,
  type HttpTap,
  loopbackAuthorize,
  memoryTokenStore,
  oauth,
  type TokenStore,
} from '@ccmcp/core/client';
import { type StoredLogin, type LoginStore, openLoginStore } from './login-store.ts';
import { isAttended } from '../questions/ask.ts';
import { openBrowser } from '../../system/open-browser.ts';
import { Failure } from '../../command/failure.ts';
import type { Output } from '../../terminal/output.ts';

/**
 * Authorizes requests with the stored login of a server. Without a valid one, the user at the terminal signs in with a
 * browser. Returns undefined if neither is possible.
 */
export async function signIn({
  output,
  url,
  attended = isAttended(),
  tap,
  signal,
}: {
  output: Pick<Output, 'note'>;
  url: URL;
  /** Whether a user can sign in interactively. */
  attended?: boolean;
  /** Observes requests to authorization servers. */
  tap?: HttpTap;
  /** Aborts the sign-in. */
  signal?: AbortSignal;
}): Promise<HttpAuth | undefined> {
  const logins = openLoginStore();
  const { login, problems } = await logins.find(url).catch(({ message }: Error) => ({
    login: undefined,
    problems: [message],
  }));
  for (const problem of problems) output.note(`Warning: ${problem}`);
  if (login === undefined && !attended) return undefined;
  const open = (page: string): void => {
    output.note(`The server wants you to sign in. If no browser opens, visit\n${page}`);
    openBrowser(page);
  };
  const { clientId, callbackPort } = login ?? {};
  const port = attended ? await portFor({ ...login }) : callbackPort;
  const loopback = loopbackAuthorize({ open, ...(port !== undefined && { port }), ...(signal && { signal }) });
  return oauth({
    ...loopback,
    clientName: 'ccmcp',
    ...(tap && { tap }),
    ...(clientId !== undefined && { client: { id: clientId } }),
    ...(login && { store: storeFor(logins, login) }),
    authorize: attended ? loopback.authorize : (page) => Promise.reject(loginRequiredFailure(url, page)),
  });
}

/** The registered port; none if it is taken and the client can register again, with any port. */
async function portFor({ clientId, callbackPort }: Partial<StoredLogin>): Promise<number | undefined> {
  if (clientId !== undefined || callbackPort === undefined) return callbackPort;
  return (await isFreePort(callbackPort)) ? callbackPort : undefined;
}

/** Whether a port of the loopback interface can be listened on. */
function isFreePort(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Stores grants of the login in its store, and all others in memory. */
function storeFor(logins: LoginStore, login: StoredLogin): TokenStore {
  const memory = memoryTokenStore();
  const isIt = ({ issuer, resource }: StoredLogin | { issuer: string; resource: string }): boolean =>
    issuer === login.issuer && resource === login.resource;
  return {
    get: (key) => (isIt(key) ? logins.get(key) : memory.get(key)),
    set: async (key, grant) => void (isIt(key) ? await logins.set(key, grant, login) : await memory.set(key, grant)),
    delete: (key) => (isIt(key) ? logins.delete(key) : memory.delete(key)),
    exclusively: (key, act) => (isIt(key) ? logins.exclusively(key, act) : act()),
  };
}

/** The failure where the user can't sign in interactively. */
function loginRequiredFailure({ href }: URL, page: URL): Failure {
  const scope = page.searchParams.get('scope') ?? '';
  const again =
    scope === ''
      ? `ccmcp login ${href}`
      : `ccmcp login ${href} --scope "${scope.replaceAll(/[^\x21\x23-\x7e ]/g, '')}"`;
  return new Failure(
    'unauthorized',
    'The stored login is not enough for this request: it has expired, or lacks a scope',
    {
      hint: `Sign in again: ${again}`,
    },
  );
}
